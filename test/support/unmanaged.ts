/** For an edge whose webhooks and alerts nobody manages. */
export const unmanaged = async () => new Response(null, { status: 404 })
