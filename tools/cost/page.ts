import { freePlanTable, monthsTable, usageTable } from './tables.ts'

export const COST_PAGE = 'docs/cost.md'

export const COST_TABLES = { months: monthsTable, usage: usageTable, free: freePlanTable }
