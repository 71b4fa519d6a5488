CREATE TABLE `alert_firings` (
	`at` integer NOT NULL,
	`alert_id` text NOT NULL,
	`kind` text NOT NULL,
	`delivery_id` text NOT NULL,
	`pair` integer NOT NULL,
	`side` text NOT NULL,
	`condition` text NOT NULL,
	`threshold` integer NOT NULL,
	`value` integer NOT NULL,
	`value_at` integer NOT NULL,
	`other_pair` integer,
	`other_side` text,
	`base` integer,
	`other_at` integer,
	`body` text NOT NULL,
	`withdrawn_at` integer,
	`withdrawal_id` text,
	`told_at` integer,
	PRIMARY KEY(`at`, `alert_id`),
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `alert_firings_alert` ON `alert_firings` (`alert_id`,`at`);--> statement-breakpoint
CREATE INDEX `alert_firings_value` ON `alert_firings` (`pair`,`value_at`);--> statement-breakpoint
CREATE INDEX `alert_firings_other` ON `alert_firings` (`other_pair`,`other_at`) WHERE other_pair is not null;--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`side` text NOT NULL,
	`condition` text NOT NULL,
	`threshold` integer NOT NULL,
	`hysteresis` integer NOT NULL,
	`other_pair` integer,
	`other_side` text,
	`repeats` integer NOT NULL,
	`phase` text NOT NULL,
	`phase_at` integer NOT NULL,
	`fired_at` integer,
	`mail_due_at` integer,
	`mailed_at` integer,
	`mail_failures` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `alerts_other_pair` ON `alerts` (`other_pair`) WHERE other_pair is not null;--> statement-breakpoint
CREATE INDEX `alerts_mail_due` ON `alerts` (`mail_due_at`) WHERE mail_due_at is not null;