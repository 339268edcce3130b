// Makes the files of the console's first view, in a thread of its own.

import { Assets, type FirstView } from './assets.ts'

export const work = (): Promise<FirstView> => new Assets().makeFirst()
