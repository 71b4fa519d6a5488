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
CREATE INDEX `deliveries_open` ON `deliveries` (`webhook_id`,`type`,`id`) WHERE status in ('pending', 'sending', 'failed');--> statement-breakpoint
CREATE INDEX `deliveries_look` ON `deliveries` (`hinted_at`) WHERE status in ('pending', 'sending', 'failed');--> statement-breakpoint
CREATE TABLE `delivery_tallies` (
	`at` integer PRIMARY KEY NOT NULL,
	`delivered` integer NOT NULL,
	`dead` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `notices` (
	`webhook_id` text NOT NULL,
	`episode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	PRIMARY KEY(`webhook_id`, `episode`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notices_unsent` ON `notices` (`created_at`) WHERE sent_at is null;--> statement-breakpoint
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
	`synced_revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_operation` ON `webhooks` (`account_id`,`operation_id`);--> statement-breakpoint
CREATE INDEX `webhooks_pair` ON `webhooks` (`pair`,`state`);--> statement-breakpoint
CREATE INDEX `webhooks_owed_sync` ON `webhooks` (`id`) WHERE needs_sync = 1 and synced_revision <> revision;--> statement-breakpoint
CREATE INDEX `webhooks_capacity` ON `webhooks` (`id`) WHERE state = 'capacity';