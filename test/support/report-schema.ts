import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';
import schema from '../../schema/run-report.schema.json' with { type: 'json' };

/** The schema without further fields. */
const strict = new Ajv({ allErrors: true, formats: { 'date-time': true } }).compile(withoutFurtherFields(schema));

/** How a report differs from the JSON schema of reports. A field that the schema does not name is a difference too. */
export function schemaErrors(report: object): readonly ErrorObject[] {
  strict(report);
  return strict.errors ?? [];
}

/** A copy in which objects with named fields allow no others. The preview holds the fields of any list. */
function withoutFurtherFields(part: AnySchemaObject, name = ''): AnySchemaObject {
  if (Array.isArray(part)) {
    return part.map((one) => withoutFurtherFields(one));
  }
  if (typeof part !== 'object' || part === null || name === 'preview') {
    return part;
  }
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutFurtherFields(value, key)]));
  const isObject = part.properties !== undefined && part.additionalProperties === undefined;
  return isObject && name !== 'properties' ? { ...copy, additionalProperties: false } : copy;
}
