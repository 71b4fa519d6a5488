CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`image` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "accounts_email_lower" CHECK("accounts"."email" = lower("accounts"."email"))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`inherited` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_day` text,
	`quota_minute` integer DEFAULT 0 NOT NULL,
	`quota_used` integer DEFAULT 0 NOT NULL,
	`quota_managed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `import_marks` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `kind`, `reference`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `private_budget` (
	`id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`used` integer NOT NULL,
	CONSTRAINT "private_budget_single" CHECK("private_budget"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`place` text,
	`delivers` integer DEFAULT true NOT NULL,
	`sealed` text,
	CONSTRAINT "installation_single" CHECK("installation"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expires_at` integer,
	`refresh_token_expires_at` integer,
	`scope` text,
	`password` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`provider`,`subject`);--> statement-breakpoint
CREATE INDEX `identities_account` ON `identities` (`account_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`token` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token`);--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_quotas` (
	`subject` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`used` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_quotas_until` ON `sign_in_quotas` (`until`);--> statement-breakpoint
CREATE TABLE `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `verifications_identifier` ON `verifications` (`identifier`);--> statement-breakpoint
CREATE INDEX `verifications_expiry` ON `verifications` (`expires_at`);--> statement-breakpoint
CREATE TABLE `availability` (
	`day` text PRIMARY KEY NOT NULL,
	`ok` integer NOT NULL,
	`degraded` integer NOT NULL,
	`down` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `corrections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`made_at` integer NOT NULL,
	`action` text NOT NULL,
	`pair` integer NOT NULL,
	`point_at` integer NOT NULL,
	`old_buy` integer,
	`old_sell` integer,
	`new_buy` integer,
	`new_sell` integer,
	`reason` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `current_quotes` (
	`pair` integer PRIMARY KEY NOT NULL,
	`buy` integer NOT NULL,
	`sell` integer NOT NULL,
	`source` text NOT NULL,
	`updated_at` integer NOT NULL,
	`reference_sell` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_candles` (
	`pair` integer NOT NULL,
	`day` text NOT NULL,
	`open` integer NOT NULL,
	`high` integer NOT NULL,
	`low` integer NOT NULL,
	`close` integer NOT NULL,
	`buy` integer NOT NULL,
	`buy_open` integer NOT NULL,
	`buy_high` integer NOT NULL,
	`buy_low` integer NOT NULL,
	PRIMARY KEY(`pair`, `day`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `history_revision` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	CONSTRAINT "history_revision_single" CHECK("history_revision"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `import_coverage` (
	`pair` integer NOT NULL,
	`kind` text NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	PRIMARY KEY(`pair`, `kind`, `from_at`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`until` integer NOT NULL,
	`last_run` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `points` (
	`pair` integer NOT NULL,
	`at` integer NOT NULL,
	`buy` integer NOT NULL,
	`sell` integer NOT NULL,
	`source` text NOT NULL,
	PRIMARY KEY(`pair`, `at`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `quarantine` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pair` integer NOT NULL,
	`buy` integer NOT NULL,
	`sell` integer NOT NULL,
	`source` text NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`resolved_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `quarantine_open` ON `quarantine` (`pair`) WHERE resolved_at is null;--> statement-breakpoint
CREATE TABLE `scraper_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`guard` text NOT NULL,
	`sources` text NOT NULL,
	`cycle` text NOT NULL,
	`confirmed_at` text NOT NULL,
	CONSTRAINT "scraper_state_single" CHECK("scraper_state"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `service_mode` (
	`id` integer PRIMARY KEY NOT NULL,
	`mode` text NOT NULL,
	CONSTRAINT "service_mode_single" CHECK("service_mode"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`revision` integer NOT NULL,
	`pair` integer NOT NULL,
	`destination` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`redelivered` integer DEFAULT false NOT NULL,
	`releases` integer NOT NULL,
	`code` integer,
	`error_type` text,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_attempt_at` integer,
	`resolved_at` integer,
	`lease_token` text,
	`lease_until` integer,
	`look_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `deliveries_made` ON `deliveries` (`subscription_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`subscription_id`) WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX `deliveries_new` ON `deliveries` (`id`) WHERE resolved_at is null and look_at is null;--> statement-breakpoint
CREATE INDEX `deliveries_look` ON `deliveries` (`look_at`) WHERE resolved_at is null and look_at is not null;--> statement-breakpoint
CREATE INDEX `deliveries_begun` ON `deliveries` (`id`) WHERE resolved_at is null and look_at is not null and not redelivered;--> statement-breakpoint
CREATE TABLE `delivery_tallies` (
	`at` integer PRIMARY KEY NOT NULL,
	`delivered` integer NOT NULL,
	`dead` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `notices` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`code` integer,
	`error_type` text,
	`due_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `notices_due` ON `notices` (`due_at`);--> statement-breakpoint
CREATE TABLE `open_deliveries` (
	`id` integer PRIMARY KEY NOT NULL,
	`outstanding` integer NOT NULL,
	`tally_at` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`dead` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`operation_id` text NOT NULL,
	`kind` text NOT NULL,
	`pair` integer NOT NULL,
	`destination` text,
	`url_sealed` text,
	`authorization_sealed` text,
	`secret_sealed` text NOT NULL,
	`state` text NOT NULL,
	`source` text NOT NULL,
	`version` integer NOT NULL,
	`revision` integer NOT NULL,
	`consecutive_failures` integer NOT NULL,
	`sync` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "subscriptions_kind" CHECK(kind = 'alert' or destination is not null),
	CONSTRAINT "subscriptions_destination" CHECK(iif(destination is null, coalesce(url_sealed, authorization_sealed) is null,
        url_sealed is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_operation` ON `subscriptions` (`account_id`,`operation_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_webhooks` ON `subscriptions` (`pair`,`state`) WHERE kind = 'webhook';--> statement-breakpoint
CREATE INDEX `subscriptions_alerts` ON `subscriptions` (`pair`,`state`) WHERE kind = 'alert';--> statement-breakpoint
CREATE INDEX `subscriptions_owed_sync` ON `subscriptions` (`id`) WHERE sync = 'owed';--> statement-breakpoint
CREATE INDEX `subscriptions_suspended` ON `subscriptions` (`id`) WHERE state = 'capacity';--> statement-breakpoint
CREATE TABLE `alert_firings` (
	`alert_id` text NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`alert_id`, `at`, `kind`),
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `alert_mails` (
	`account_id` text PRIMARY KEY NOT NULL,
	`hour` integer NOT NULL,
	`mails` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`side` text NOT NULL,
	`condition` text NOT NULL,
	`threshold` integer NOT NULL,
	`hysteresis` integer NOT NULL,
	`other_pair` integer,
	`other_side` text,
	`repeats` integer NOT NULL,
	`phase` text,
	`fired_at` integer,
	`mail_due_at` integer,
	`mailed_at` integer,
	`mail_dropped_at` integer,
	FOREIGN KEY (`id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `alerts_other_pair` ON `alerts` (`other_pair`) WHERE other_pair is not null;--> statement-breakpoint
CREATE INDEX `alerts_mail_due` ON `alerts` (`mail_due_at`) WHERE mail_due_at is not null;--> statement-breakpoint
CREATE TABLE `invoicing_corrections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`made_at` integer NOT NULL,
	`currency` text NOT NULL,
	`day` text NOT NULL,
	`units` integer NOT NULL,
	`buy` text NOT NULL,
	`sell` text NOT NULL,
	`source` text NOT NULL,
	`published_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoicing_rates` (
	`currency` text NOT NULL,
	`day` text NOT NULL,
	`units` integer NOT NULL,
	`buy` text NOT NULL,
	`sell` text NOT NULL,
	`source` text NOT NULL,
	`published_at` integer,
	PRIMARY KEY(`currency`, `day`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `invoicing_tables` (
	`day` text PRIMARY KEY NOT NULL,
	`published_at` integer
) STRICT;
--> statement-breakpoint
CREATE VIEW `confirmed_quotes` AS select q.pair, q.buy, q.sell, q.source, q.updated_at, q.reference_sell, coalesce(
    (select confirmed_at from scraper_state where json_valid(confirmed_at))
      ->> cast(q.pair as text), q.updated_at) as last_scraped_at
  from current_quotes q;--> statement-breakpoint
CREATE VIEW `delivery_order` AS select d.id,
  iif(d.type = 'manual', d.id, (
    select p.id from deliveries p where p.subscription_id = d.subscription_id
      and p.resolved_at is null and p.type <> 'manual' and p.redelivered = d.redelivered
      order by p.id limit 1)) as head,
  d.subscription_id = 'system' or exists (
    select 1 from subscriptions w where w.id = d.subscription_id
      and iif(d.redelivered, w.destination is not null and w.state in ('active', 'capacity'),
        d.type = 'manual' or (w.revision = d.revision and w.state in ('active', 'capacity')))
    ) as is_eligible,
  d.redelivered and d.type <> 'manual' and exists (
    select 1 from deliveries p where p.subscription_id = d.subscription_id
      and p.resolved_at is null and p.redelivered and p.type <> 'manual' and p.status = 'sending'
    ) as is_beside_another
  from deliveries d;--> statement-breakpoint
CREATE VIEW `owed_syncs` AS select w.id, w.account_id, w.revision, w.destination, q.pair, q.buy, q.sell, q.updated_at
  from subscriptions w join current_quotes q on q.pair = w.pair
  where w.sync = 'owed' and w.state = 'active' and w.kind = 'webhook';--> statement-breakpoint
CREATE VIEW `owned_deliveries` AS select d.id, d.delivery_id, d.created_at, d.type, d.redelivered, d.resolved_at,
  w.account_id, w.kind, w.destination is null as is_by_email,
  w.destination is not null and w.state in ('active', 'capacity') as takes
  from subscriptions w join deliveries d on d.subscription_id = w.id;--> statement-breakpoint
CREATE VIEW `resumable_webhooks` AS select w.id, w.account_id from subscriptions w
  where w.state = 'capacity' and not exists (
    select 1 from deliveries p where p.subscription_id = w.id
      and p.resolved_at is null and p.type <> 'manual' and not p.redelivered);--> statement-breakpoint
CREATE VIEW `tallies` AS select at, delivered, dead from delivery_tallies
  union all select tally_at, delivered, dead from open_deliveries;--> statement-breakpoint
CREATE VIEW `standing_alerts` AS select a.id, w.destination, a.fired_at,
  json_array(w.pair, a.side, a.condition, a.threshold, a.hysteresis, a.other_pair, a.other_side,
    a.repeats, a.phase) as as_read,
  (select json_array(q.buy, q.sell, q.updated_at) from current_quotes q
    where q.pair = w.pair) as quote,
  (select json_array(q.buy, q.sell, q.updated_at) from current_quotes q
    where q.pair = a.other_pair) as other_quote
  from subscriptions w join alerts a on a.id = w.id where w.state = 'active';
--> statement-breakpoint
-- Written by hand. `npm run db:generate` keeps what follows: drizzle's schema has no triggers.

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
-- A sync that was made is no longer owed.
CREATE TRIGGER `subscriptions_synced` AFTER INSERT ON `deliveries`
WHEN new.`type` = 'sync'
BEGIN
	UPDATE `subscriptions` SET `sync` = 'made'
	WHERE `id` = new.`subscription_id` AND `revision` = new.`revision`;
END;
--> statement-breakpoint
-- Deliveries are deleted with their subscription.
CREATE TRIGGER `subscriptions_deleted` AFTER DELETE ON `subscriptions`
BEGIN
	DELETE FROM `deliveries` WHERE `subscription_id` = old.`id`;
END;
--> statement-breakpoint
-- Where nobody sends e-mails, an alert keeps the events of seven days.
CREATE TRIGGER `alert_firings_pruned` AFTER INSERT ON `alert_firings`
BEGIN
	DELETE FROM `alert_firings`
	WHERE `alert_id` = new.`alert_id` AND `at` <= new.`at` - 604800000;
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
