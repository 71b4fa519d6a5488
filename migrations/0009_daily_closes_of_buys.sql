ALTER TABLE `daily_candles` ADD `buy_open` integer;--> statement-breakpoint
ALTER TABLE `daily_candles` ADD `buy_high` integer;--> statement-breakpoint
ALTER TABLE `daily_candles` ADD `buy_low` integer;--> statement-breakpoint
-- What the rows that are there already would have had: the value in effect at the day's start, on the
-- first day the first value.
UPDATE `daily_candles` SET `buy_open` = coalesce(
	(SELECT `buy` FROM `points` WHERE `pair` = `daily_candles`.`pair` AND `at` <= unixepoch(`day`) * 1000 + 10800000 ORDER BY `at` DESC LIMIT 1),
	(SELECT `buy` FROM `points` WHERE `pair` = `daily_candles`.`pair` AND `at` > unixepoch(`day`) * 1000 + 10800000 ORDER BY `at` LIMIT 1),
	`buy`);
--> statement-breakpoint
UPDATE `daily_candles` SET (`buy_high`, `buy_low`) = (
	SELECT max(`daily_candles`.`buy_open`, coalesce(max(`points`.`buy`), 0)), min(`daily_candles`.`buy_open`, coalesce(min(`points`.`buy`), `daily_candles`.`buy_open`))
	FROM `points` WHERE `points`.`pair` = `daily_candles`.`pair` AND `at` BETWEEN unixepoch(`day`) * 1000 + 10800000 AND unixepoch(`day`) * 1000 + 97199999);
