// The search over everything, whose code is loaded when it is first opened.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { closeSearch, isSearching } from '../core/searching.ts'
import { complain } from '../parts/toast.tsx'

export const loadSearch = () => import('./search-dialog.tsx')

export function Search() {
  const [Content, setContent] = useState<ComponentType>()
  const isWanted = isSearching.value
  useEffect(() => {
    if (!isWanted || Content) return
    loadSearch().then(
      ({ default: Dialog }) => setContent(() => Dialog),
      (error) => {
        closeSearch()
        complain(error)
      },
    )
  }, [isWanted])
  return isWanted && Content ? <Content /> : null
}
