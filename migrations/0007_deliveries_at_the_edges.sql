ALTER TABLE `deliveries` ADD `previous_attempt_at` integer;--> statement-breakpoint
CREATE INDEX `deliveries_begun` ON `deliveries` (`id`) WHERE status in ('pending', 'sending', 'failed') and hinted_at is not null;--> statement-breakpoint
ALTER TABLE `notices` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `notices` ADD `due_at` integer DEFAULT 0 NOT NULL;