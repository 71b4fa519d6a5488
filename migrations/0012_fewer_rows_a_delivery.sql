CREATE INDEX `deliveries_webhook` ON `deliveries` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `deliveries_new` ON `deliveries` (`id`) WHERE resolved_at is null and hinted_at is null;--> statement-breakpoint
CREATE INDEX `deliveries_hinted` ON `deliveries` (`hinted_at`) WHERE resolved_at is null and hinted_at is not null;--> statement-breakpoint
CREATE INDEX `deliveries_tests` ON `deliveries` (`webhook_id`) WHERE resolved_at is null and type = 'manual';--> statement-breakpoint
ALTER TABLE `capacity` ADD `tally_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `capacity` ADD `delivered` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `capacity` ADD `dead` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Other five minutes begin: what ended in the last ones becomes a tally. The triggers of 0006 take
-- what is written to a tally from the capacity, for older Workers, so it is given back first.
CREATE TRIGGER `capacity_tallied` AFTER UPDATE OF `tally_at` ON `capacity`
WHEN new.`tally_at` <> old.`tally_at` AND old.`delivered` + old.`dead` > 0
BEGIN
	UPDATE `capacity` SET `outstanding` = `outstanding` + old.`delivered` + old.`dead` WHERE `id` = 1;
	INSERT INTO `delivery_tallies` (`at`, `delivered`, `dead`) VALUES (old.`tally_at`, old.`delivered`, old.`dead`)
	ON CONFLICT (`at`) DO UPDATE SET `delivered` = `delivered` + excluded.`delivered`, `dead` = `dead` + excluded.`dead`;
END;
