#!/bin/sh
# Started in place of workerd: leaves its process id for the guard (runtime-guard.ts), becomes it.
echo $$ >"$LOCAL_WORKERD_PID_FILE"
exec "$LOCAL_WORKERD_PATH" "$@"
