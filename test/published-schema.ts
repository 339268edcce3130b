// Documents of the service, held against the XML schema that it publishes.

import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { documents, rows } from '../docs/published.ts'
import { xmlSchema } from '../src/schema/xml-schema.ts'

let validator: XsdValidator | undefined

/** Throws when a document of the service does not follow the published schema. */
export function requireValid(xml: string): void {
  if (!validator) {
    validator = XsdValidator.fromDoc(XmlDocument.fromString(xmlSchema(documents, rows)))
  }
  const document = XmlDocument.fromString(xml)
  try {
    validator.validate(document)
  } finally {
    document.dispose()
  }
}
