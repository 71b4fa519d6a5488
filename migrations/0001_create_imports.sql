CREATE TABLE `import_coverage` (
	`pair` integer NOT NULL,
	`kind` text NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	PRIMARY KEY(`pair`, `kind`, `from_at`)
) STRICT, WITHOUT ROWID;
