CREATE TABLE `availability` (
	`day` text PRIMARY KEY NOT NULL,
	`ok` integer NOT NULL,
	`degraded` integer NOT NULL,
	`down` integer NOT NULL
) STRICT;
