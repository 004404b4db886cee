//! Stop words: function words of the main languages, which say little about a text's topic. Written for Lookalike.

use std::collections::HashSet;

/// The lists by ISO 639-1 code, sorted. In each list, words are sorted by code point and separated by single spaces.
#[rustfmt::skip]
const LANGUAGES: [(&str, &str); 12] = [
    ("de", "aber alle allem allen aller alles als also am an auch auf aus bei beide beim bin bis bist da damit \
     dann darf das dass davon dazu dem den denn der des dich die diese diesem diesen dieser dieses dir doch du \
     durch ein eine einem einen einer eines er es etwas euch für gegen habe haben hast hat hatte hier hätte ich \
     ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ist jede jedem jeden jeder jedes jetzt kann kein keine \
     können könnte man mehr mein meine meinen mich mir mit muss müssen nach neben nicht nichts nie noch nun nur ob \
     oder ohne schon sehr seid sein seine seiner seit sich sie sind so soll sollen sollte sondern sowie um und uns \
     unser unsere unter viele vom von vor wann war waren warum was weil welche wen wenn wer werde werden wie \
     wieder will wir wird wo wollen wurde wurden während wäre würde zu zum zur zwischen über"),
    ("en", "a about across after again against all also although always am among an and another any anything are \
     aren as at be because been before being between both but by can cannot could couldn d did didn do does doesn \
     don down during each even ever every everyone everything few for from had has hasn have haven having he her \
     here herself him himself his how i if in into is isn it its itself just ll m many may me might more most much \
     must my myself never no nobody none nor not nothing now of off often on one only onto or other our ourselves \
     out over re s same shall she should shouldn since so some someone something still such t than that the their \
     them themselves then there therefore these they this those through thus to too under unless until up us ve \
     very was wasn we were what when where whether which while who whose why will with without would wouldn yet \
     you your yourself"),
    ("es", "a ahora al algo alguien alguna alguno algunos algún allí ante antes aquel aquella aquí así aunque aún \
     bajo cada como con contra cual cuales cuando cuál cuándo cómo de debe del desde después donde durante dónde e \
     el ella ellas ello ellos en entonces entre era eran es esa esas ese eso esos esta estaba estas este esto \
     estos estoy está están fue fueron ha haber había habían hacia han has hasta hay haya hemos la las le les lo \
     los me menos mi mientras mis misma mismo mucho muchos muy más mí nada nadie ni ningún no nos nosotros nuestra \
     nuestras nuestro nuestros nunca o os otra otras otro otros para pero poco por porque puede pueden pues que \
     quien quienes quién qué se sea según ser será si sido siempre siendo sin sino sobre solo somos son soy su sus \
     sí sólo tal también tan te ti toda todas todavía todo todos tras tu tus tú u un una unas unos usted ustedes y \
     ya yo él"),
    ("fr", "a afin ai ainsi ait alors après as au aucun aura aussi autre autres aux avaient avait avant avec avez \
     avoir avons bien c car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme contre d dans de \
     depuis des doit doivent donc dont du dès déjà elle elles en encore entre es est et eu eux ici il ils j jamais \
     je jusqu jusque l la le les leur leurs lorsqu lorsque lui là m ma mais me mes moi moins mon même mêmes n ne \
     ni non nos notre nous on ont or ou où par parce pas pendant peut peuvent plus pour puis puisqu puisque qu \
     quand que quel quelle quelqu quelque quelques qui quoi rien s sa sans se selon sera seront ses si soi soit \
     son sont sous suis sur t ta te tes toi ton toujours tous tout toute toutes très tu un une vers vos votre vous \
     y à ça étaient était été être"),
    ("it", "a abbia abbiamo ad agli ai al alcune alcuni all alla alle altra altre altri altro anche ancora aveva \
     avevano c che chi ci ciò come con contro così cui d da dai dal dall dalla dalle degli dei del dell della \
     delle deve devono di dopo dove dunque durante e ed era erano essere fino fra fu già gli ha hai hanno ho i il \
     in io l la le lei li lo loro lui là m ma me meno mentre mi mia mio molto n ne nei nel nell nella nelle \
     nessuno noi non nostra nostro né o ogni ora per perché però più poi possono prima può qua qualche quale quali \
     quando quanto quel quella quelle quelli quello questa queste questi questo qui quindi s sarà se sei sempre \
     senza si sia solo sono su sua sue sui sul sull sulla sulle suo sé t tale te ti tra tu tutta tutte tutti tutto \
     un una uno v verso vi è"),
    ("ja", "ある あれ いる か から が けど この これ しか ず せる その それ た たい たり だ だけ て で です と な \
     ない など に ね の ので のに は ば へ ほど ます まで も や よ より られる れる を ん"),
    ("nl", "aan achter al alle alleen alles als altijd ander andere beide ben bent bij binnen boven buiten daar \
     daarbij daarmee daarom dan dat de deze die dit door dus echter een elk elke en enkele er erg geen haar had \
     hadden heb hebben hebt heeft heel hem hen het hier hij hoe hoewel hun ieder iedere iemand iets ik in indien \
     is ja je jij jou jullie kan kon konden kunnen maar mag me meer meest men met mij mijn minder moest moet \
     moeten mogen n na naar naast nee niemand niet niets nog nooit nu of om omdat onder ons onze ook op over per \
     reeds s sinds sommige t te tegen terwijl tijdens toch toe toen tot tussen u uit uw vaak van vanaf veel vele \
     via voor waar waarom wanneer want waren was wat we weinig wel welk welke werd werden wie wij wil willen \
     worden wordt zal ze zeer zelf zich zij zijn zo zonder zou zouden zullen"),
    ("pl", "a aby albo ale ani bardziej bardzo bez bo by być był była było były będzie będą będę chociaż ci ciebie \
     cię co coś czy czym dla dlaczego do gdy gdzie go i ich ile im ja jak jaka jaki jakie jego jej jemu jest \
     jestem jeszcze jeśli jeżeli już ją każdy kiedy kim komu kto ktoś która które którego której który których lub \
     mi między mnie moja moje może można mu my mój na nad nam nas nasz nasza nasze nawet nic nich nie niech niego \
     niej nigdy nikt nim nimi nią niż o od on ona one oni ono oraz po pod ponieważ przed przez przy również sam \
     siebie się sobie sobą swoja swoje swój są ta tak taka taki takie także tam te tego tej temu ten teraz też to \
     tu twój ty tych tylko tym tą tę u w wam was wasz we więc wszystkie wszystko wtedy wy z za zawsze ze został \
     została że żeby"),
    ("pt", "a agora ainda algo algum alguma alguém ante antes ao aos após aquela aquele aqueles aqui aquilo as \
     assim até cada com como contra da das de dela delas dele deles depois desde desse desta deste deve do dos \
     durante e ela elas ele eles em embora enquanto entre então era eram essa essas esse esses esta estar estas \
     estava este estes está estão eu foi foram havia há isso isto já lhe lhes mais mas me menos mesma mesmo meu \
     meus mim minha minhas muito na nada nas nem nesta neste ninguém no nos nossa nossas nosso nossos num numa \
     nunca não nós o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem pois por porque \
     porquê porém quais qual quando quanto que quem se seja sem sempre sendo ser será seu seus sido sob sobre \
     somos sua suas são só também te tem ter tinha toda todas todo todos tu tudo tão têm um uma umas uns você \
     vocês à às é"),
    ("ru", "а без более будет буду будут бы был была были было быть в вам вас ваш ваша ведь весь во вот все всегда \
     всего всем всех вся всё вы где да даже для до его ее ей ему если есть еще ещё её же за здесь и из или им ими \
     их к как какая какие какой ко когда которая которого которое которой которые который которых кто ли лишь \
     между меня мне мое мои мой моя моё мы на над надо нам нас наш наша наши не него нее ней нему нет неё ни \
     никогда никто ним ними них ничто но о об обо он она они оно от очень перед по под пока после потому поэтому \
     при про с сам своего своей своих свой свою своя своё себе себя со та так также такой там те тебе тебя тех то \
     тогда того тоже той только том тому тот тут ты у уже хотя чем через что чтобы эта эти этих это этого этой \
     этом этому этот я"),
    ("sv", "aldrig alla allt alltid andra annan annat att av bara bland blev bli blir blivit borde båda både bör \
     de dem den denna dens deras dess dessa det detta dig din dina ditt dock du där därför då efter eftersom ej \
     eller en enligt er era ert ett fast fick från få får för före genom ha hade haft han hans har henne hennes \
     hon honom hos hur här i icke igen in inga ingen inget innan inom inte jag ju kan kring kunde kunna man med \
     medan mellan men mer mest mig min mina mindre mitt mot mycket må många måste ner ni nog nu när någon något \
     några och också ofta om oss på redan samma samt sedan sig sin sina sitt själv ska skall skulle som så sådan \
     sådana sådant till under upp ur ut utan utom vad var vara varför varit varje varken vars vem vi vid vilka \
     vilken vilket vill ville väl vår våra vårt än ännu är även åt över"),
    ("zh", "不 与 个 为 为了 为什么 之 也 了 于 什么 什麼 从 他 他们 他們 以 们 会 但 但是 你 你们 個 們 关于 到 \
     又 及 只 可以 吗 吧 呢 和 啊 因为 因為 在 她 如果 它 对 對 就 已 已经 并 很 怎么 我 我们 我們 或 或者 所以 把 \
     是 更 最 會 有 沒有 没 没有 為 由 的 着 而 而且 自己 與 被 要 谁 跟 过 还 这 这个 这样 這 還 那 那个 那样 都"),
];

/// The ISO 639-1 codes of the languages with a list of function words.
pub fn stop_word_languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(code, _)| *code)
}

/// The function words of a language, by its ISO 639-1 code. `None` if there is no list.
pub fn stop_words(language: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let at = LANGUAGES.binary_search_by(|(code, _)| (*code).cmp(language)).ok()?;
    Some(LANGUAGES[at].1.split(' '))
}

/// The words of those lists of which most are among `words`.
pub(crate) fn listed(words: &[String]) -> HashSet<&'static str> {
    let given: HashSet<&str> = words.iter().map(String::as_str).collect();
    let lists = LANGUAGES.iter().map(|(_, list)| list.split(' '));
    let is_given = |list: &std::str::Split<'_, char>| {
        let words = list.clone().filter(|word| given.contains(word)).count();
        2 * words > list.clone().count()
    };
    lists.filter(is_given).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_unique_and_lower_case() {
        assert!(LANGUAGES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (language, list) in LANGUAGES {
            let words: Vec<&str> = list.split(' ').collect();
            for pair in words.windows(2) {
                assert!(pair[0] < pair[1], "{}: {} before {}", language, pair[0], pair[1]);
            }
            for word in words {
                // A double space would give an empty word. A form other than NFC would have marks.
                assert!(!word.is_empty(), "{}: not single-spaced", language);
                assert!(word.chars().all(char::is_alphabetic), "{}: {}", language, word);
                assert_eq!(word.to_lowercase(), word, "{}", language);
            }
        }
    }

    #[test]
    fn lists_have_30_to_200_words() {
        for (language, _) in LANGUAGES {
            let count = stop_words(language).unwrap().count();
            assert!((30..=200).contains(&count), "{}: {}", language, count);
        }
    }

    #[test]
    fn other_languages_have_none() {
        for language in ["", "xx", "EN", "eng"] {
            assert!(stop_words(language).is_none(), "{}", language);
        }
    }
}
