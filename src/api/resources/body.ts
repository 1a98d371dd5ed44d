/** A request body as the exact bytes that are hashed and sent. */
export function toBody(fields: object): Buffer {
  return Buffer.from(JSON.stringify(fields), 'utf8');
}
