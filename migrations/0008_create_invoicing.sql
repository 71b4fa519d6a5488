CREATE TABLE `invoicing_corrections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`made_at` integer NOT NULL,
	`currency` text NOT NULL,
	`day` text NOT NULL,
	`old_units` integer NOT NULL,
	`old_buy` text NOT NULL,
	`old_sell` text NOT NULL,
	`old_source` text NOT NULL,
	`new_units` integer NOT NULL,
	`new_buy` text NOT NULL,
	`new_sell` text NOT NULL,
	`new_source` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoicing_rates` (
	`currency` text NOT NULL,
	`day` text NOT NULL,
	`units` integer NOT NULL,
	`buy` text NOT NULL,
	`sell` text NOT NULL,
	`source` text NOT NULL,
	PRIMARY KEY(`currency`, `day`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `invoicing_tables` (
	`day` text PRIMARY KEY NOT NULL,
	`published_at` integer,
	`seen_at` integer NOT NULL
) STRICT;
