import { MANIFEST_KEY, parseManifest } from '../../../../shared/board/archive.ts'
import { BOARD_KEY, parseBoard } from '../../../../shared/board/board.ts'
import { readMode } from '../../../../shared/db/quotes/service-mode.ts'
import { type Check, foundBroken } from './check.ts'
import { EVERY_PAIR, pairName, sqlCheck, utc } from './sql-check.ts'

/** The mode that a point tells by its source; null of imports and corrections, which may be of any. */
const MODE_OF_POINT = `case
  when source like 'demo:%' or source like 'import:demo-%' then 'demo'
  when source like 'upstream:%' then 'upstream'
  when source like 'import:%' or source = 'correction' then null
  else 'live' end`

export const modeChecks: readonly Check[] = [
  sqlCheck(
    'every point is of the state’s mode: none is simulated among real ones',
    `select ${pairName('pairs.value')} || ' from ' || ${utc('first')}, first is not null
     from ${EVERY_PAIR} pairs left join (
       select pair, min(at) as first from points
       where ${MODE_OF_POINT} <> coalesce((select mode from service_mode), '') group by pair
     ) on pair = pairs.value`,
  ),
  {
    name: 'the board and the nightly files are of the state’s mode',
    async run({ db, kv }) {
      const mode = await readMode(db)
      const shown = [
        { name: 'the board', mode: parseBoard(await kv.get(BOARD_KEY))?.mode },
        { name: 'the nightly files', mode: parseManifest(await kv.get(MANIFEST_KEY))?.mode },
      ].filter((document) => document.mode !== undefined)
      return foundBroken(
        shown.length,
        shown.filter((document) => document.mode !== mode).map(({ name }) => name),
      )
    },
  },
]
