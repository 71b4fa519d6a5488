-- Before older Workers come back: the indexes that they name, which migrations/after dropped.
CREATE UNIQUE INDEX IF NOT EXISTS `deliveries_delivery_id` ON `deliveries` (`delivery_id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deliveries_account` ON `deliveries` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deliveries_open` ON `deliveries` (`webhook_id`,`type`,`id`) WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deliveries_look` ON `deliveries` (`hinted_at`) WHERE resolved_at is null;
