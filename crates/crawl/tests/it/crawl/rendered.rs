//! Pages whose text and links are made by scripts.

use super::server::{Reply, Site};

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn pages_that_need_scripts_are_read_as_a_browser_shows_them() {
    let site = Site::new(|path| match path {
        "/" => Reply::page(
            "<body><script>document.title = 'Made'; \
             document.body.innerHTML = '<h1>Shown</h1><p>by a script</p><a href=/next>next</a>'</script>",
        )
        .with("link", "</de>; rel=alternate; hreflang=de"),
        "/next" => {
            Reply::page(format!("<script>document.body.innerHTML = 'no'</script><p>{}", "word ".repeat(40)))
        }
        _ => Reply::status(404),
    });
    let mut settings = site.settings();
    assert_eq!(site.crawl(&settings).pages(), ["/"]);
    settings.render = true;
    let crawled = site.crawl(&settings);
    assert_eq!(crawled.pages(), ["/", "/next"]);
    let page = |path: &str| {
        let number = crawled.crawled.number_of(&format!("{}{path}", site.url)).unwrap();
        let stored = crawled.crawled.page(number).unwrap().unwrap();
        let text: Vec<String> = stored.blocks.into_iter().map(|block| block.text).collect();
        (stored.visit.page.unwrap(), text.join(" "))
    };
    let (facts, text) = page("/");
    assert_eq!((facts.title.as_deref(), facts.alternates.len()), (Some("Made"), 1));
    assert_eq!(text, "Shown by a script next");
    assert!(page("/next").1.starts_with("word word"), "a page with text is not rendered");
}
