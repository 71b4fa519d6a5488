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
--> statement-breakpoint
CREATE TABLE `capacity` (
	`id` integer PRIMARY KEY NOT NULL,
	`outstanding` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`account_id` text NOT NULL,
	`revision` integer NOT NULL,
	`pair` integer NOT NULL,
	`destination` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`releases` integer NOT NULL,
	`code` integer,
	`error_type` text,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_attempt_at` integer,
	`resolved_at` integer,
	`lease_token` text,
	`lease_until` integer,
	`hinted_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_delivery_id` ON `deliveries` (`delivery_id`);--> statement-breakpoint
CREATE INDEX `deliveries_account` ON `deliveries` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`webhook_id`,`id`) WHERE status in ('pending', 'sending', 'failed');--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`next_attempt_at`) WHERE status in ('pending', 'sending', 'failed');--> statement-breakpoint
CREATE TABLE `notices` (
	`webhook_id` text NOT NULL,
	`episode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	PRIMARY KEY(`webhook_id`, `episode`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`operation_id` text NOT NULL,
	`pair` integer NOT NULL,
	`destination` text NOT NULL,
	`url_sealed` text NOT NULL,
	`authorization_sealed` text,
	`secret_sealed` text NOT NULL,
	`enabled` integer NOT NULL,
	`state` text NOT NULL,
	`source` text NOT NULL,
	`version` integer NOT NULL,
	`revision` integer NOT NULL,
	`episode` integer NOT NULL,
	`consecutive_failures` integer NOT NULL,
	`needs_sync` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_operation` ON `webhooks` (`account_id`,`operation_id`);--> statement-breakpoint
CREATE INDEX `webhooks_pair` ON `webhooks` (`pair`,`state`);