-- What only the Workers before 0012 use. They name these indexes, so they go once no such Worker runs.
DROP INDEX IF EXISTS `deliveries_delivery_id`;--> statement-breakpoint
DROP INDEX IF EXISTS `deliveries_account`;--> statement-breakpoint
DROP INDEX IF EXISTS `deliveries_open`;--> statement-breakpoint
DROP INDEX IF EXISTS `deliveries_look`;
