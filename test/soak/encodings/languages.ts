/** A language: names and places for its lists, and the legacy encodings in which it is written. */
export interface Language {
  readonly name: string;
  readonly encodings: readonly string[];
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly places: readonly string[];
}

const WEST = 'windows-1252 iso-8859-1 iso-8859-15 macintosh cp850';
const CENTRAL = 'windows-1250 iso-8859-2 cp852 maccenteuro';

/** The languages of the campaign. The people are invented from the commonest names. */
export const LANGUAGES: readonly Language[] = [
  language(
    `polish: ${CENTRAL}`,
    'Paweł Łukasz Małgorzata Grażyna Michał Stanisław Elżbieta Agnieszka Zdzisław Anna Jan Bożena Błażej Mirosław',
    'Dąbrowski Wójcik Kowalczyk Woźniak Kozłowski Wiśniewska Zieliński Szymańska Pawłowski Król Wróbel Jabłońska Nowak Głowacki Żak',
    'Łódź Kraków Gdańsk Poznań Wrocław Białystok Częstochowa Rzeszów Toruń Warszawa Zielona_Góra Chorzów Świdnica',
  ),
  language(
    `czech: ${CENTRAL}`,
    'Jiří Tomáš Lukáš Zdeněk Kateřina Lenka Petr Věra Františka Ondřej Václav Růžena Štěpán Barbora Božena',
    'Novák Dvořák Černý Procházka Kučera Veselý Horák Němec Pokorný Hájek Růžička Beneš Fiala Sedláček Doležal Kříž',
    'Praha Brno Plzeň Olomouc Liberec České_Budějovice Hradec_Králové Ústí_nad_Labem Zlín Jihlava Třebíč Kladno Děčín',
  ),
  language(
    `slovak: ${CENTRAL}`,
    'Ján Ľubomír Mária Žofia Štefan Tomáš Zuzana Miloš Ľudmila Juraj Peter Božena Marián Katarína Rastislav',
    'Horváth Kováč Varga Tóth Nagy Baláž Szabó Molnár Lukáč Novák Kováčik Polák Gajdoš Hudák Mikuláš Šimko Ďurica',
    'Bratislava Košice Prešov Žilina Nitra Banská_Bystrica Trnava Martin Trenčín Poprad Prievidza Považská_Bystrica Ľubovňa',
  ),
  language(
    `hungarian: ${CENTRAL}`,
    'László István József Zoltán Sándor Győző Erzsébet Ilona Mária Gergő Ágnes Tünde Róbert Péter Csaba Ödön',
    'Nagy Kovács Tóth Szabó Horváth Varga Kiss Molnár Németh Farkas Balogh Papp Takács Juhász Szűcs Kőszegi Fűzesi',
    'Budapest Debrecen Győr Miskolc Pécs Székesfehérvár Kecskemét Nyíregyháza Szombathely Érd Hódmezővásárhely Fertőd',
  ),
  language(
    'romanian: windows-1250 iso-8859-2 cp852 macromania',
    'Ştefan Ioniţă Gheorghe Mădălina Cătălin Bogdan Ileana Ţugui Raluca Călin Sânziana Mihăiţă Răzvan Anişoara',
    'Popescu Ionescu Stănescu Dumitraşcu Ţăranu Munteanu Rădulescu Câmpeanu Ştefănescu Bălan Ciobanu Pârvu Niţă Moraru',
    'Bucureşti Iaşi Timişoara Braşov Constanţa Galaţi Piteşti Ploieşti Bacău Brăila Târgu_Mureş Bistriţa Cluj Râmnicu_Vâlcea',
  ),
  language(
    'croatian: windows-1250 iso-8859-2 cp852 maccroatian',
    'Željko Krešimir Božidar Tomislav Šime Đurđica Ivan Anđela Nikša Snježana Dražen Marija Zvonimir Željka',
    'Horvat Kovačević Babić Marić Jurić Novak Kovačić Vuković Knežević Šimić Božić Blažević Đurić Župan Perković',
    'Zagreb Šibenik Čakovec Požega Varaždin Karlovac Križevci Poreč Đakovo Vukovar Županja Bjelovar Sinj Umag',
  ),
  language(
    'slovene: windows-1250 iso-8859-2 cp852 maccroatian',
    'Janez Luka Žiga Matjaž Špela Urška Boštjan Blaž Anže Tjaša Alenka Jože Nuša Andraž Uroš',
    'Novak Kovačič Krajnc Zupančič Potočnik Kovač Žagar Golob Hočevar Božič Kralj Vidmar Kavčič Šuštar Žnidaršič',
    'Ljubljana Maribor Celje Kranj Škofja_Loka Koper Velenje Novo_mesto Ptuj Trbovlje Kamnik Jesenice Domžale Črnomelj Žalec',
  ),
  language(
    'turkish: windows-1254 iso-8859-9 cp857 macturkish',
    'Mehmet Ayşe Fatma Ömer Çiğdem Gülşen Işıl İbrahim Yağmur Şükrü Hüseyin Özlem Doğan Nurgül Barış Tuğba',
    'Yılmaz Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Koç Güneş',
    'İstanbul Ankara İzmir Bursa Diyarbakır Eskişehir Muğla Kırşehir Çanakkale Niğde Şanlıurfa Ağrı Beyoğlu Kadıköy',
  ),
  language(
    'greek: windows-1253 iso-8859-7 cp737 macgreek',
    'Γιώργος Μαρία Κωνσταντίνος Ελένη Δημήτρης Αικατερίνη Νίκος Βασιλική Ιωάννης Σοφία Χρήστος Αγγελική Παναγιώτης',
    'Παπαδόπουλος Παππάς Καραγιάννης Βλάχος Ιωαννίδης Οικονόμου Παπαγεωργίου Μακρής Δημητρίου Αντωνίου Γεωργίου',
    'Αθήνα Θεσσαλονίκη Πάτρα Ηράκλειο Λάρισα Βόλος Ιωάννινα Χανιά Χαλκίδα Ρόδος Καλαμάτα Κέρκυρα Τρίκαλα',
  ),
  language(
    'russian: windows-1251 koi8-r iso-8859-5 cp866 maccyrillic',
    'Ольга Иван Сергей Наталья Дмитрий Екатерина Алексей Юлия Михаил Татьяна Владимир Людмила Фёдор Анна',
    'Иванов Смирнова Кузнецов Попова Васильев Петрова Соколов Михайлова Новиков Фёдорова Морозов Волкова Лебедев',
    'Москва Санкт-Петербург Новосибирск Екатеринбург Казань Нижний_Новгород Челябинск Самара Омск Ростов Уфа Тверь',
  ),
  language(
    'ukrainian: windows-1251 koi8-u iso-8859-5 cp1125 macukraine',
    'Олександр Тетяна Сергій Наталія Андрій Оксана Юрій Ірина Дмитро Любов Євген Олексій Зоряна Катерина',
    'Шевченко Коваленко Бойко Ткаченко Кравченко Олійник Шевчук Поліщук Лисенко Гнатюк Мельник Савченко Павленко',
    'Київ Харків Одеса Дніпро Донецьк Запоріжжя Львів Миколаїв Вінниця Чернігів Полтава Чернівці Житомир Рівне',
  ),
  language(
    'bulgarian: windows-1251 iso-8859-5 cp866 maccyrillic',
    'Георги Иван Димитър Мария Елена Николай Петър Йорданка Христо Стоян Цветелина Пламен Десислава Васил',
    'Иванов Георгиева Димитров Петрова Николов Тодорова Стоянов Христова Йорданов Ангелов Атанасова Желязков Илиев',
    'София Пловдив Варна Бургас Русе Стара_Загора Плевен Сливен Добрич Шумен Перник Хасково Ямбол Благоевград',
  ),
  language(
    'serbian: windows-1251 iso-8859-5 maccyrillic',
    'Милош Јелена Драган Љиљана Никола Ђорђе Снежана Владимир Марија Жељко Слободан Гордана Ненад Зорица',
    'Јовановић Петровић Николић Марковић Ђорђевић Стојановић Илић Станковић Павловић Милошевић Живковић Томић',
    'Београд Нови_Сад Ниш Крагујевац Суботица Зрењанин Панчево Чачак Краљево Смедерево Лесковац Ваљево Ужице',
  ),
  language(
    'hebrew: windows-1255 iso-8859-8 cp862',
    'דוד שרה משה רחל יוסף אסתר אברהם מרים יעקב לאה חיים רבקה שלמה תמר',
    'כהן לוי מזרחי פרץ ביטון דהן אברהם פרידמן מלכה אזולאי כץ יוסף עמר אוחיון שפירא',
    'ירושלים תל_אביב חיפה ראשון_לציון פתח_תקווה אשדוד נתניה באר_שבע חולון רמת_גן אשקלון רחובות',
  ),
  language(
    'arabic: windows-1256 iso-8859-6',
    'محمد أحمد فاطمة علي حسن عائشة خالد يوسف مريم عبدالله سارة إبراهيم نورة عمر ليلى',
    'العلي الحسن محمود إبراهيم السيد حسين الأحمد الشمري القحطاني المصري عبدالرحمن يوسف صالح',
    'القاهرة الرياض بغداد دمشق بيروت عمان الدار_البيضاء تونس الإسكندرية جدة الكويت الدوحة',
  ),
  language(
    'persian: windows-1256',
    'محمد زهرا علي فاطمه حسين مريم رضا پريسا کيان نگين مهدي ژاله امير سارا',
    'محمدي حسيني احمدي کريمي موسوي جعفري قاسمي پورحسن رحيمي گلستاني چراغي نوري اکبري',
    'تهران مشهد اصفهان کرج شيراز تبريز قم اهواز کرمانشاه اروميه رشت زاهدان همدان يزد',
  ),
  language(
    'thai: windows-874 tis-620 macthai',
    'สมชาย สมหญิง ประเสริฐ นภา วิชัย สุดา กิตติ มาลี ธนากร อรุณี ณัฐพล พิมพ์ใจ ชัยวัฒน์',
    'ใจดี สุขใจ ทองคำ แสงทอง ศรีสุข บุญมา วงศ์สวัสดิ์ พงษ์พันธ์ จันทร์เพ็ญ รักไทย แก้วมณี',
    'กรุงเทพมหานคร เชียงใหม่ ภูเก็ต ขอนแก่น นครราชสีมา ชลบุรี สงขลา อุดรธานี พิษณุโลก ระยอง',
  ),
  language(
    'vietnamese: windows-1258',
    'Nguyễn Đức Hương Hùng Thủy Tuấn Phượng Dũng Hằng Bình Khánh Quỳnh Sơn Ngọc Hạnh',
    'Trần Lê Phạm Hoàng Huỳnh Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý',
    'Hà_Nội Hồ_Chí_Minh Đà_Nẵng Hải_Phòng Cần_Thơ Biên_Hòa Huế Nha_Trang Buôn_Ma_Thuột Vũng_Tàu Quy_Nhơn',
  ),
  language(
    'japanese: shift_jis cp932 euc-jp',
    '太郎 花子 健一 美咲 翔太 さくら 大輔 陽子 直樹 恵美 ゆうこ 誠 ハナコ 裕子 タロウ',
    '佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 サトウ スズキ',
    '東京都 大阪市 横浜市 名古屋市 札幌市 神戸市 京都市 福岡市 川崎市 さいたま市 広島市 仙台市 千葉市',
  ),
  language(
    'korean: euc-kr cp949',
    '민준 서연 지훈 수빈 예준 지우 도윤 하은 현우 민서 영희 철수 은정 성호',
    '김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황',
    '서울특별시 부산광역시 인천 대구 대전 광주 수원시 울산 창원시 고양시 용인시 성남시 제주',
  ),
  language(
    'chinese: gbk gb18030 gb2312',
    '伟 芳 娜 秀英 敏 静 丽 强 磊 军 洋 勇 艳 杰 建国 明霞',
    '王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 欧阳',
    '北京市 上海市 广州市 深圳市 成都市 杭州市 武汉市 西安市 南京市 重庆市 天津市 苏州市 长沙市',
  ),
  language(
    'taiwanese: big5 cp950',
    '志明 春嬌 淑芬 俊傑 美玲 雅婷 建宏 怡君 家豪 淑惠 宗翰 佳穎 冠宇',
    '陳 林 黃 張 李 王 吳 劉 蔡 楊 許 鄭 謝 郭 歐陽',
    '臺北市 新北市 桃園市 臺中市 臺南市 高雄市 基隆市 新竹市 嘉義市 花蓮縣 宜蘭縣 屏東縣',
  ),
  language(
    `german: ${WEST}`,
    'Jürgen Jörg Günther Käthe Björn Anna Peter Sören Ursula Bärbel Rüdiger Renate Götz Klaus',
    'Müller Schröder Krüger Weiß Köhler König Jäger Groß Böhm Lösch Schmidt Weber Bäcker Vogel Möller',
    'München Köln Düsseldorf Nürnberg Münster Lübeck Würzburg Göttingen Berlin Hamburg Gießen Straße_12 Saarbrücken',
  ),
  language(
    `french: ${WEST}`,
    'François Hélène Benoît Noël Zoé Chloé Jérôme Gaëlle André Cécile Marie Théo Loïc Agnès Anaïs',
    'Lefèvre Bérenger Gauthier Mercier Beauséjour Lemaître Prévost Rivière Martin Petit Chérel Guérin Hébert Crépin',
    'Orléans Besançon Nîmes Saint-Étienne Béziers Évreux Angoulême Mâcon Paris Lyon Châlons Périgueux Sète',
  ),
  language(
    `spanish: ${WEST}`,
    'José María Ángel Íñigo Sofía Andrés Raúl Inés Jesús Mónica Ramón Verónica Juan Iván Begoña',
    'García Núñez Muñoz Ibáñez Rodríguez Martínez Peña Hernández López Gómez Sánchez Díaz Álvarez Ruiz Yáñez',
    'Málaga Cádiz Córdoba León Ávila Jaén Logroño Madrid Sevilla La_Coruña Cáceres Mérida Almería',
  ),
  language(
    `portuguese: ${WEST}`,
    'João Inês Luís Mônica Antônio Conceição Sebastião Fátima Gonçalo Ana Pedro Íris Flávio Thaís Otávio',
    'Gonçalves Araújo Magalhães Conceição Simões Brandão Assunção Falcão Silva Santos Guimarães Leitão Galvão',
    'São_Paulo Brasília Goiânia Maceió Évora Guimarães Belém Florianópolis Lisboa Porto Vitória Uberlândia Maringá',
  ),
  language(
    `italian: ${WEST}`,
    'Niccolò Nicolò Giosuè Noè Andrea Luca Chiara Maria Mosè Salomè Paolo Giulia Tommaso',
    'Calabrò Cantù Sanò Laganà Melchiorrè Rossi Bianchi Romanò Ferrari Scordà Pansè Martinò Codà',
    'Forlì Cefalù Cantù Mondovì Roma Milano Città_di_Castello Nardò Patti Gravità Canicattì Scalì',
  ),
  language(
    `dutch: ${WEST}`,
    'André Renée Zoë Daniël Michaël Chloé Joël Jan Pieter Anneke Loïs Raphaël Maïté',
    'de_Vries Coenraadts Hoëcker Daniëls Crèvecoeur Bakker Jansen Visser Noël Boëtius Geërts Oriëns',
    'Amsterdam Rotterdam België Israëllaan Heiligenberg Utrecht Zuid-Scharwoude Drachten Coöperatie Financiën Zeeën',
  ),
  language(
    `swedish: ${WEST}`,
    'Åsa Göran Björn Märta Jörgen Örjan Håkan Anna Erik Åke Mårten Gösta Sölve Pär',
    'Åberg Öberg Sjöberg Lindström Nordström Bergström Sjögren Hägglund Wikström Andersson Nyström Lövgren Ståhl',
    'Malmö Göteborg Örebro Västerås Jönköping Linköping Gävle Umeå Luleå Växjö Skövde Borås Östersund',
  ),
  language(
    `danish: ${WEST}`,
    'Søren Jørgen Bjørn Åse Mette Lærke Anders Bodil Kåre Jens Sørine Karen Øjvind Ægir',
    'Sørensen Jørgensen Møller Kjær Nørgaard Østergaard Dahl Skjødt Brændgaard Jensen Thorsøe Bæk Højgaard',
    'København Århus Ålborg Næstved Helsingør Hillerød Køge Sønderborg Odense Tønder Rønne Skælskør Ærøskøbing',
  ),
  language(
    `norwegian: ${WEST}`,
    'Bjørn Øyvind Åse Håkon Kåre Sølvi Trygve Ingrid Pål Øystein Torbjørn Jørn Asbjørn Ragnhild',
    'Bjørnstad Ødegård Sæther Bøe Løken Strømme Hansen Håland Nygård Berg Sørli Østby Nærø Lie',
    'Tromsø Ålesund Bodø Drøbak Hønefoss Oslo Bergen Tønsberg Mosjøen Gjøvik Lillestrøm Brønnøysund Sandnessjøen',
  ),
  language(
    `finnish: ${WEST}`,
    'Päivi Jyrki Väinö Seppo Tuija Hämäläinen Mäkelä Kyösti Eevä Töölö Pekka Jäärni Ämmä',
    'Mäkinen Virtanen Hämäläinen Järvinen Mäkelä Lehtonen Heikkilä Särkkä Väisänen Pöyry Ylönen Nyyssönen',
    'Jyväskylä Seinäjoki Hämeenlinna Mikkeli Järvenpää Nivala Helsinki Kemijärvi Äänekoski Ylöjärvi Riihimäki Lempäälä',
  ),
  language(
    'icelandic: windows-1252 iso-8859-1 maciceland cp861',
    'Guðrún Jón Sigurður Þórunn Ólafur Björk Kristín Þór Ragnheiður Gísli Ásdís Steinþór Hjördís',
    'Jónsdóttir Guðmundsson Þorsteinsdóttir Ólafsson Sigurðardóttir Björnsson Magnúsdóttir Gíslason Þórðarson',
    'Reykjavík Hafnarfjörður Kópavogur Akureyri Reykjanesbær Garðabær Selfoss Ísafjörður Egilsstaðir Höfn Blönduós',
  ),
  language(
    'estonian: windows-1257 iso-8859-13 iso-8859-15 cp775',
    'Jüri Tõnu Mõnu Ülle Õie Märt Kärt Jaan Külli Tõnis Rein Häli Pärtel',
    'Tamm Saar Mägi Kask Põder Kõiv Rätsep Õunapuu Kütt Pärn Hõbe Sõber Jõgi Möldre',
    'Tallinn Tartu Pärnu Võru Põlva Jõhvi Rakvere Jõgeva Viljandi Haapsalu Kärdla Türi Põltsamaa',
  ),
  language(
    'latvian: windows-1257 iso-8859-13 cp775',
    'Jānis Ilze Kristīne Pēteris Līga Andris Dārta Mārtiņš Zigrīda Ģirts Sņežana Ķērsta Raimonds Inguna',
    'Bērziņš Kalniņš Ozoliņš Jansons Liepiņš Krūmiņš Zariņa Ābols Grīnbergs Vītols Balodis Kļaviņa Šķēle',
    'Rīga Liepāja Jelgava Jūrmala Ventspils Rēzekne Ogre Valmiera Jēkabpils Tukums Cēsis Sigulda Kuldīga Ķegums',
  ),
  language(
    'lithuanian: windows-1257 iso-8859-13 cp775',
    'Jonas Rūta Žygimantas Gražina Mindaugas Eglė Šarūnas Jūratė Vytautas Ąžuolas Giedrė Saulė Kęstutis',
    'Kazlauskas Jankauskienė Petrauskaitė Žukauskas Paulauskienė Butkutė Stankevičius Šimkus Urbonas Čepaitis Grigaliūnas',
    'Vilnius Kaunas Klaipėda Šiauliai Panevėžys Alytus Marijampolė Mažeikiai Utena Kėdainiai Telšiai Tauragė Ukmergė',
  ),
];

function language(title: string, first: string, last: string, places: string): Language {
  const [name = '', encodings = ''] = title.split(': ');
  const words = (text: string) => text.split(' ').map((word) => word.replaceAll('_', ' '));
  return { name, encodings: encodings.split(' '), first: words(first), last: words(last), places: words(places) };
}
