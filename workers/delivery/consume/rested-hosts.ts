import { MAX_CONNECTIONS } from '../../../shared/db/deliveries/batch.ts'

/**
 * To which hosts an invocation may have kept connections, as the transport keeps them: no more than
 * it may have open, and the longest unused makes way. A guess is enough: what is sent where depends
 * on it only in its order.
 */
export class RestedHosts {
  #hosts: string[] = []
  #inUse = 0

  /** The longest unused first. */
  get hosts(): readonly string[] {
    return this.#hosts
  }

  begin(host: string): void {
    this.#inUse += 1
    const last = this.#hosts.lastIndexOf(host)
    this.#hosts = this.#hosts.filter((_, index) => index !== last)
    this.#makeWay()
  }

  end(host: string): void {
    this.#inUse -= 1
    this.#hosts = [...this.#hosts, host]
    this.#makeWay()
  }

  #makeWay(): void {
    const most = Math.max(0, MAX_CONNECTIONS - this.#inUse)
    this.#hosts = this.#hosts.slice(Math.max(0, this.#hosts.length - most))
  }
}
