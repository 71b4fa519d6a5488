-- What drizzle's schema cannot say. `npm run db:generate` ends the first migration with it.

-- `open_deliveries` counts the rows of `deliveries` that are open, whoever writes them.
CREATE TRIGGER `open_deliveries_made` AFTER INSERT ON `deliveries`
WHEN new.`resolved_at` IS NULL
BEGIN
	UPDATE `open_deliveries` SET `outstanding` = `outstanding` + 1 WHERE `id` = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `open_deliveries_reopened` AFTER UPDATE OF `resolved_at` ON `deliveries`
WHEN old.`resolved_at` IS NOT NULL AND new.`resolved_at` IS NULL
BEGIN
	UPDATE `open_deliveries` SET `outstanding` = `outstanding` + 1 WHERE `id` = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `open_deliveries_deleted` AFTER DELETE ON `deliveries`
WHEN old.`resolved_at` IS NULL
BEGIN
	UPDATE `open_deliveries` SET `outstanding` = max(0, `outstanding` - 1) WHERE `id` = 1;
END;
--> statement-breakpoint
-- What ends is counted in its five minutes.
CREATE TRIGGER `open_deliveries_ended` AFTER UPDATE OF `resolved_at` ON `deliveries`
WHEN old.`resolved_at` IS NULL AND new.`resolved_at` IS NOT NULL
BEGIN
	UPDATE `open_deliveries` SET `outstanding` = max(0, `outstanding` - 1),
		`tally_at` = new.`resolved_at` - new.`resolved_at` % 300000,
		`delivered` = iif(`tally_at` = new.`resolved_at` - new.`resolved_at` % 300000, `delivered`, 0) + (new.`status` = 'delivered'),
		`dead` = iif(`tally_at` = new.`resolved_at` - new.`resolved_at` % 300000, `dead`, 0) + (new.`status` = 'dead')
	WHERE `id` = 1;
END;
--> statement-breakpoint
-- Other five minutes begin: what ended in the last ones becomes a tally.
CREATE TRIGGER `open_deliveries_tallied` AFTER UPDATE OF `tally_at` ON `open_deliveries`
WHEN new.`tally_at` <> old.`tally_at` AND old.`delivered` + old.`dead` > 0
BEGIN
	INSERT INTO `delivery_tallies` (`at`, `delivered`, `dead`) VALUES (old.`tally_at`, old.`delivered`, old.`dead`)
	ON CONFLICT (`at`) DO UPDATE SET `delivered` = `delivered` + excluded.`delivered`, `dead` = `dead` + excluded.`dead`;
END;
--> statement-breakpoint
-- A sync is made once for each revision.
CREATE TRIGGER `subscriptions_synced` AFTER INSERT ON `deliveries`
WHEN new.`type` = 'sync'
BEGIN
	UPDATE `subscriptions` SET `synced_revision` = `revision`
	WHERE `id` = new.`subscription_id` AND `revision` = new.`revision`;
END;
--> statement-breakpoint
-- Simulated values never stand among real ones.
CREATE TRIGGER `service_mode_stays` BEFORE UPDATE ON `service_mode`
WHEN new.`mode` <> old.`mode`
BEGIN
	SELECT raise(abort, 'the database is of another mode');
END;
--> statement-breakpoint
-- A run records under its own token only: the batch of one that lost its lease writes nothing.
CREATE TRIGGER `leases_lost` BEFORE UPDATE OF `last_run` ON `leases`
WHEN new.`token` <> old.`token`
BEGIN
	SELECT raise(abort, 'lease lost');
END;
--> statement-breakpoint
-- A new database begins later than whatever one before it counted.
INSERT INTO `history_revision` (`id`, `revision`) VALUES (1, unixepoch() * 1000);
--> statement-breakpoint
-- The one row that counts open deliveries.
INSERT INTO `open_deliveries` (`id`, `outstanding`) VALUES (1, 0);
