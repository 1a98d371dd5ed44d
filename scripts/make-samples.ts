import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { makeZip } from '../test/unit/import/make-zip.ts';

/** Packs samples/mailchimp-export/*.csv into samples/mailchimp-export.zip, the same bytes every time. */
const folder = 'samples/mailchimp-export';
const entries = readdirSync(folder).map((name) => ({ name, content: readFileSync(`${folder}/${name}`) }));
writeFileSync('samples/mailchimp-export.zip', makeZip(entries.sort((a, b) => (a.name < b.name ? -1 : 1))));
