import { orAbsent } from '../../shared/config/or-absent.ts'

/**
 * Whether a variable is `on`; each value is parsed once per isolate. A wrong value is logged and
 * counts as off, because it must not cost the reads.
 */
export function createSwitch(parse: (text: string | undefined) => 'on' | 'off') {
  const known = new Map<string | undefined, boolean>()

  return (text: string | undefined): boolean => {
    let isOn = known.get(text)
    if (isOn === undefined) {
      isOn = orAbsent(() => parse(text)) === 'on'
      known.set(text, isOn)
    }
    return isOn
  }
}
