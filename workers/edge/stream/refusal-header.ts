/** The header in which the object says why it opened no stream (`StreamRefusal`). */
export const REFUSAL_HEADER = 'x-refusal'
