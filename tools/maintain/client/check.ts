import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** The size limit of the client, not minified. Pages load a minified copy, a third smaller. */
const MAX_GZIP_BYTES = 8 * 1024

/** Packs the tarball that `npm publish` would upload, and returns its path. */
export function packClient(folder: string, into: string): string {
  const options = ['--ignore-scripts', '--silent', '--pack-destination', into]
  execFileSync('npm', ['pack', ...options], { cwd: folder })
  return join(
    into,
    readdirSync(into).find((name) => name.endsWith('.tgz'))!,
  )
}

/** The problems of the package, found by publint, `arethetypeswrong` and its size limit. */
export async function clientProblems(folder: string, tarball: string): Promise<string[]> {
  const data = readFileSync(tarball)
  return [
    ...(await publishingProblems(data)),
    ...(await typeProblems(data)),
    ...sizeProblems(folder),
  ]
}

async function publishingProblems(data: Buffer): Promise<string[]> {
  const tarball = new Uint8Array(data).buffer
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } })
  return messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`)
}

async function typeProblems(data: Buffer): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(data)))
  if (!result.types) return ['types: there are none']
  return result.problems.map((problem) => `types: ${JSON.stringify(problem)}`)
}

function sizeProblems(folder: string): string[] {
  return ['index.js', 'index.cjs'].flatMap((name) => {
    const bytes = gzipSync(readFileSync(join(folder, 'dist', name)), { level: 9 }).length
    return bytes <= MAX_GZIP_BYTES ? [] : [`${name} has ${bytes} bytes gzip`]
  })
}
