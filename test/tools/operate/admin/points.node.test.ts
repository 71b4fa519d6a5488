import { expect, it } from 'vitest'
import type { AdminContext } from '../../../../tools/operate/admin/command.ts'
import { listPoints } from '../../../../tools/operate/admin/points.ts'

it('refuses a range of days that ends before it begins, without asking the database', async () => {
  const backwards = ['usd/blue', '--from', '2026-03-03', '--to', '2026-03-02']

  await expect(listPoints.run(backwards, {} as AdminContext)).rejects.toThrow(
    '--from must not be after --to',
  )
})
