CREATE TABLE `chart_days` (
	`pair` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`drawn_revision` integer NOT NULL,
	`drawn_day` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `corrections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`made_at` integer NOT NULL,
	`action` text NOT NULL,
	`pair` integer NOT NULL,
	`point_at` integer NOT NULL,
	`old_buy` integer,
	`old_sell` integer,
	`new_buy` integer,
	`new_sell` integer,
	`reason` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `current_quotes` (
	`pair` integer PRIMARY KEY NOT NULL,
	`buy` integer NOT NULL,
	`sell` integer NOT NULL,
	`source` text NOT NULL,
	`updated_at` integer NOT NULL,
	`last_scraped_at` integer NOT NULL,
	`reference_sell` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_candles` (
	`pair` integer NOT NULL,
	`day` text NOT NULL,
	`open` integer NOT NULL,
	`high` integer NOT NULL,
	`low` integer NOT NULL,
	`close` integer NOT NULL,
	`buy` integer NOT NULL,
	PRIMARY KEY(`pair`, `day`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`until` integer NOT NULL,
	`last_run` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `points` (
	`pair` integer NOT NULL,
	`at` integer NOT NULL,
	`buy` integer NOT NULL,
	`sell` integer NOT NULL,
	`source` text NOT NULL,
	PRIMARY KEY(`pair`, `at`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `quarantine` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pair` integer NOT NULL,
	`buy` integer NOT NULL,
	`sell` integer NOT NULL,
	`source` text NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`resolved_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `quarantine_open` ON `quarantine` (`pair`) WHERE status in ('held', 'accepted', 'rejected') and resolved_at is null;--> statement-breakpoint
CREATE TABLE `scraper_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`guard` text NOT NULL,
	`sources` text NOT NULL,
	`cycle` text NOT NULL,
	CONSTRAINT "scraper_state_single" CHECK("scraper_state"."id" = 1)
) STRICT;
