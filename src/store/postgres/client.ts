// The driver's connection, closed also where the driver gives up by itself.

import pg from 'pg'

/**
 * Where the server asks for a password and there is none, the driver reports it and leaves the socket open: the server would
 * wait for a minute, and so would a process that ends.
 */
export class Client extends pg.Client {
  override connect(): Promise<this>
  override connect(callback: (error: Error | null) => void): void
  override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
    // Pools pass a callback.
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error) => (error ? reject(error) : resolve(this)))
      })
    }
    super.connect((error: Error | null) => {
      if (error) this.connection.stream.destroy()
      callback(error)
    })
    return undefined
  }
}
