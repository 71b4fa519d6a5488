CREATE TABLE `chart_days` (
	`pair` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`drawn_revision` integer NOT NULL,
	`drawn_day` text NOT NULL
) STRICT;
