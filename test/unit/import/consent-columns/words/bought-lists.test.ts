import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, saysNothing, tableOf } from '../vocabulary/golden.ts';

// Lists of people who never agreed, and words for an agreement that the person did not give. The status beside them
// says subscribed.

function silentOf(headers: string, cells: string, other = 'Website'): readonly string[] {
  return headers.split('|').flatMap((header) =>
    cells
      .split('|')
      .filter((cell) => saysNothing(header, other, cell))
      .map((cell) => `${header}: ${cell}`),
  );
}

const BOUGHT =
  'Scraped|Web scraping|Harvested|Crawled|Bought|Bought 2019|Purchased list|Rented list|List rental|Lead list purchase|Data broker|Cold list|Gekauft|gekaufte Adressen|gemietete Liste|Adresskauf|Adresshandel|Fremdadressen|Mietadressen|Liste achetée|Fichier acheté|base louée|Location de fichier|Lista comprada|base alquilada|lista alugada|Lista acquistata|contatti comprati|lista noleggiata|gekochte lijst|aangekochte adressen|gehuurde lijst|Kupiona baza|zakupiona baza|Köpt lista|købte leads|Kjøpt liste|koupená databáze|zakoupené kontakty|vásárolt lista|ostettu lista|baza cumpărată|Куплена|купленные контакты';

test('asks about a source of people who never agreed (C10)', () => {
  expect(silentOf('Source|Lead source|Herkunft|Sheet|Opt-in method|Consent source', BOUGHT)).toEqual([]);
});

test('asks about a bought list as the source of only the last row (C10)', async () => {
  const rows = Array.from({ length: 80 }, (_, at) => `p${at}@example.com,yes,Website`);
  const list = await readList({
    'list.csv': csv('Email,Subscribed,Source', ...rows, 'ben@example.com,yes,Our scraped'),
  });
  expect(list.trouble).toContain('stop unknown_status');
});

test('asks nothing about ordinary sources (C10)', () => {
  const ordinary =
    'Purchased online|Purchase|Harvest festival|Broker|Website|Pub crawl|Kauf im Shop|Bought a ticket|Import 2019|Achat en ligne|Compra online|Landing page|Scrapbook club';
  expect(silentOf('Source', ordinary)).toHaveLength(ordinary.split('|').length);
});

const ASSUMED =
  'Assumed|Presumed|Pre-ticked|Pre-checked box|preselected|vorangekreuzt|vorausgewählt|mutmaßlich|vermutet|case précochée|présumé|premarcado|presunto|supuesto|preselezionata|vooraf aangevinkt|verondersteld|domniemana|förkryssad|forhåndsavkrysset|Implied (expired)|implied, lapsed|implizit (abgelaufen)|implicite (expiré)|implícito (caducado)|implicito (scaduto)|impliciet (verlopen)|dorozumiana (wygasła)|underförstått (utgånget)';

test('asks about an agreement that the person did not give (C10)', () => {
  expect(silentOf('Opt-in method|Consent method', `${ASSUMED}|None|none`, 'Double')).toEqual([]);
  const table = tableOf(['Opt-in method']);
  const ordinary = ['Double', 'Web form', 'Implied', 'Paper', 'Import'].map((cell) => meaningOf(table, cell));
  expect(ordinary.filter((meaning) => meaning !== '-' && meaning !== 'agrees')).toEqual([]);
  expect(silentOf('Consent date', 'None', '2021-03-04')).toHaveLength(1);
});

test('asks about None under Lists, not under Tags (C10)', () => {
  expect(silentOf('Lists|Listen|Subscribed lists|Listas|Lijsten', 'None|keine|no list', 'News')).toEqual([]);
  expect(silentOf('Tags|Groups|Segments', 'None', 'vip')).toHaveLength(3);
});

test('asks about a legal basis other than consent alone (C10)', () => {
  const only =
    'Contract only|only contract|Contractual only|Legal obligation only|nur Vertrag|contrat uniquement|solo contrato|solo contratto';
  expect(silentOf('Legal basis|Rechtsgrundlage', only, 'Consent')).toEqual([]);
  expect(silentOf('Legal basis', 'Contract', 'Consent')).toHaveLength(1);
});

const OBJECTIONS =
  'Objection to processing|Objection to profiling|Objection to processing of my data|Restriction of processing|Restrict processing|Widerspruch gegen Verarbeitung|Einschränkung der Verarbeitung|Opposition au traitement|Limitation du traitement|Oposición al tratamiento|Limitación del tratamiento|Oposição ao tratamento|Opposizione al trattamento|Limitazione del trattamento|Bezwaar tegen verwerking|Beperking van de verwerking|Sprzeciw wobec przetwarzania|Indsigelse mot behandling|Erasure';

test('asks about a request that objects to the use of data (C10)', () => {
  expect(silentOf('DSR type|DSAR type|Privacy request|Request type', OBJECTIONS, '')).toEqual([]);
  expect(silentOf('DSR type', 'Access|Rectification|Portability', '')).toHaveLength(3);
});
