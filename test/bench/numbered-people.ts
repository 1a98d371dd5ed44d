import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** The person with this number, the same in a list and in an audience. */
export function personOf(number: number): {
  readonly email: string;
  readonly first_name: string;
  readonly city: string;
} {
  return { email: `person${number}@example.com`, first_name: `Name ${number}`, city: `City ${number % 997}` };
}

/** Writes a list of the first `rows` people. */
export async function writePeople(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('email,first_name,city,status\n');
  for (let number = 0; number < rows; number += 1) {
    const { email, first_name, city } = personOf(number);
    if (!file.write(`${email},${first_name},${city},subscribed\n`)) {
      await once(file, 'drain');
    }
  }
  file.end();
  await finished(file);
}
