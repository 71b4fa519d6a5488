CREATE TABLE `history_revision` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	CONSTRAINT "history_revision_single" CHECK("history_revision"."id" = 1)
) STRICT;
--> statement-breakpoint
-- A new database begins later than whatever one before it counted.
INSERT INTO `history_revision` (`id`, `revision`) VALUES (1, unixepoch() * 1000);
