/** Builds the Worker for starts to come: an image does this once, for its files cannot be written. */
import { currentBuild } from './build.ts'

const { folder } = await currentBuild()
console.log(`built ${folder}`)
