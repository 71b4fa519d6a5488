import { expect, it } from 'vitest'
import { parseCloses, parseRecent } from '../../workers/site/pair/read-charts.ts'

it.each([null, '', '{', 'null', '[]', '{"schema":2,"points":{},"closes":[]}', '{"schema":1}'])(
  'reads %j as no document',
  (text) => {
    expect(parseRecent(text)).toBeNull()
    expect(parseCloses(text)).toBeNull()
  },
)
