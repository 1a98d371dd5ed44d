import { wordStartPattern } from './words-and-stems.ts';

// Beginnings of words about the end of a subscription, an address or a life, and about bounces, blocks and complaints.
const END_WORDS = wordStartPattern(
  'rip(?=_|$) left(?=$|_(?!hand|(?:a_)?(?:voice|message|vm)|side|over)) leave(?!_(?:until|till|from))(?=_|$|s_|s$) quit cancel remov delet eras struck strike(?=_|$) drop(?:ped|s)?(?=_|$) tak(?:e|en)_(?:\\S+_)?off off(?=_(?!ice|er|season)|$) stop(?:s|ped)?(?=_|$) dead(?!lin|lift|lock) decease die[ds](?=_|$) passed death gone(?=_|$) closed(?!_(?:the_)?deal) complain refus reject declin withdr revok revoc object(?:s|ed|ion)(?=_|$)',
  'bounc came_back undeliver invalid wrong unknown not_exist doesnt_exist no_such no_existe block black_?list banned robinson dnc dne dnm oo(?=_|$) never(?=_again|$) resign terminat expired ended inactive kicked suppress ex(?=_|$) former churn forgotten lawyer threat annoy hates? angry no_address',
  'losch gelosch streich gestrich raus(?=_|$) entfern austr[ei]t austrag ausgetr gekundig kundigung abgemeld abgem(?=_|$) abmeld abbestell widerr widerspr unerwunsch verstorb gestorb tot(?=_|$) verzogen ungultig existiert_nicht falsch zuruck(?=_|$) rucklauf unzustell gesperr sperr beschwer storn beend inaktiv ehemalig',
  'desinscri desabo resili(?!en) demission dimess dimission supprim radie deced n_?existe_(?:pas|plus) fauss?e? errone retour plainte opposition effac parti(?=_|$) mort(?=_|$) bloqu annul baja borr(?:ar|ad) elimin fallec incorrect rebot queja retirar anul',
  'non_esiste nao_existe bestaat_niet errat respint disdett rimuov rimoss blocc disiscri falec errad devolv reclam exclu sair(?=_|$) saiu verwijder overled onjuist klacht opgezegd geblok afgemeld uitgeschr gestopt ongeldig',
  'nie_istniej wypis usun odszed wystapi zmarl zly(?=_|$) zwrot skarg rezyg odmow zablok ta_bort avlid fel(?=_|$) retur klag avslut sparr slett dod(?=_|$) afdod avregistr avmeld frameld poist kuoll vaara silin sil(?=_|$) iptal vefat yanlis iade sikayet engel geri_don ayril cikti',
  'neexist odhlas smaz zemr spatn vracen stizn zrus blokov nedoruc odvol не_существ отказ удал умер неверн возврат жалоб заблок отпис отозв закрыт выбыл больше_не не_беспок',
);
// Words like `END_WORDS`, in Chinese, Japanese, Korean, Hebrew and Arabic.
const END_SIGNS =
  /退会|解約|不要|死亡|不明|削除|停止|苦情|拒否|戻り|解除|中止|返送|退订|删除|投诉|去世|拒绝|탈퇴|삭제|거부|사망|반송|해지|נפטר|הוסר|חסום|متوفي|حذف|رفض/u;

/** True if one of the words is about an end, such as `left`, `dead` or `cancelled`. */
export function mentionsEnd(words: string): boolean {
  return END_WORDS.test(words) || END_SIGNS.test(words);
}

/** Matches a sign for a death. */
export const DEATH_SIGN = /[†✝✞]/u;
