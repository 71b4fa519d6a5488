DROP INDEX `deliveries_open`;--> statement-breakpoint
DROP INDEX `deliveries_look`;--> statement-breakpoint
DROP INDEX `deliveries_begun`;--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`webhook_id`,`type`,`id`) WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX `deliveries_look` ON `deliveries` (`hinted_at`) WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX `deliveries_begun` ON `deliveries` (`id`) WHERE resolved_at is null and hinted_at is not null;