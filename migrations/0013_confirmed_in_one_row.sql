-- Empty for the rows that are there: their own `last_scraped_at` counts until a later one is here.
ALTER TABLE `scraper_state` ADD `confirmed_at` text DEFAULT '{}' NOT NULL;
