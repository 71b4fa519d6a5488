CREATE TABLE `delivery_tallies` (
	`at` integer PRIMARY KEY NOT NULL,
	`delivered` integer NOT NULL,
	`dead` integer NOT NULL
) STRICT;
--> statement-breakpoint
DROP INDEX `deliveries_due`;--> statement-breakpoint
DROP INDEX `deliveries_open`;--> statement-breakpoint
CREATE INDEX `deliveries_look` ON `deliveries` (`hinted_at`) WHERE status in ('pending', 'sending', 'failed');--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`created_at`) WHERE status in ('pending', 'sending', 'failed');--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`webhook_id`,`type`,`id`) WHERE status in ('pending', 'sending', 'failed');--> statement-breakpoint
ALTER TABLE `webhooks` ADD `synced_revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhooks_owed_sync` ON `webhooks` (`id`) WHERE needs_sync = 1 and synced_revision <> revision;--> statement-breakpoint
CREATE INDEX `webhooks_capacity` ON `webhooks` (`id`) WHERE state = 'capacity';--> statement-breakpoint
CREATE INDEX `notices_unsent` ON `notices` (`created_at`) WHERE sent_at is null;