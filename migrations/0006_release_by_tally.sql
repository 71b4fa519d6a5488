-- What a tally counts as ended gives its place back: one statement of a settle does both.
CREATE TRIGGER `delivery_tallies_begun` AFTER INSERT ON `delivery_tallies`
BEGIN
	UPDATE `capacity` SET `outstanding` = max(0, `outstanding` - new.`delivered` - new.`dead`) WHERE `id` = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `delivery_tallies_grown` AFTER UPDATE ON `delivery_tallies`
BEGIN
	UPDATE `capacity` SET `outstanding` = max(0, `outstanding` - (new.`delivered` - old.`delivered`) - (new.`dead` - old.`dead`)) WHERE `id` = 1;
END;
