#!/bin/sh
# Started in place of workerd: leaves its process id for the guard in runtime.ts, becomes it.
echo $$ >"$LOCAL_WORKERD_PID_FILE"
exec "$LOCAL_WORKERD_PATH" "$@"
