/** What keeps the service from starting, in one sentence for the operator. */
export class StartError extends Error {}
