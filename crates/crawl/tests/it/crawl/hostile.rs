//! Sites that mean harm.

use super::server::{Notes, Reply, Site};
use lookalike_crawl::crawl;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[test]
fn an_endless_calendar_ends() {
    let site = Site::new(|path| {
        let parts: Vec<u32> = path.split('/').filter_map(|part| part.parse().ok()).collect();
        let (year, month) = match parts[..] {
            [year, month] => (year, month),
            _ => (2026, 11),
        };
        let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
        Reply::page(format!("<a href=/calendar/{next_year}/{next}>next</a>"))
    });
    let mut settings = site.settings();
    settings.robots = false;
    settings.traps.dates = 50;
    let crawl = site.crawl(&settings);
    assert_eq!(crawl.counts.visited, 51);
    let rule = "more than 50 URLs have the form /calendar/#/#".to_owned();
    assert_eq!(crawl.skipped(), [("/calendar/2031/2".to_owned(), rule)]);
}

#[test]
fn urls_that_a_limit_on_variants_leaves_out_are_noted() {
    let site = Site::new(|path| match path {
        "/" => Reply::page((0..30).map(|topic| format!("<a href='/t?id={topic}'>t</a>")).collect::<String>()),
        _ => Reply::page("topic"),
    });
    let mut settings = site.settings();
    settings.robots = false;
    settings.traps = settings.traps.with_variants(10);
    let (folder, notes) = (tempfile::tempdir().unwrap(), Arc::new(Notes::default()));
    let counts = crawl(&settings, folder.path(), &notes.monitor()).unwrap();
    assert_eq!((counts.visited, counts.trapped), (11, 20));
    let note = "20 URLs were skipped because too many others differ only in queries, dates or numbers: more than 10 URLs \
        have the form /t?id=#; --max-variants changes the limits";
    assert_eq!(notes.take(), note);
}

#[test]
fn parameters_that_explode_and_paths_that_repeat_end() {
    let site = Site::new(|path| {
        let deeper = format!("{}x/", path.split('?').next().unwrap_or_default());
        let filters = ('a'..='t').map(|filter| {
            format!("<a href='{path}{}{filter}=on'>f</a>", if path.contains('?') { '&' } else { '?' })
        });
        Reply::page(format!("<a href={deeper}>deeper</a>{}", filters.collect::<String>()))
    });
    let mut settings = site.settings();
    settings.robots = false;
    (settings.traps.queries, settings.traps.values) = (15, 10);
    let crawl = site.crawl(&settings);
    // Four paths: `/`, `/x/`, `/x/x/` and `/x/x/x/`.
    assert_eq!(crawl.counts.visited, 4 * (1 + 10 + 15));
    let skipped = crawl.skipped();
    assert!(skipped.iter().any(|(_, rule)| rule == "/x/ has more than 15 queries"), "{skipped:?}");
    assert!(skipped.iter().any(|(_, rule)| rule == r#"the path repeats "x" more than 3 times"#));
}

#[test]
fn bodies_without_end_and_bombs_are_not_read_to_their_end() {
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    bomb.write_all(&vec![b' '; 30 << 20]).unwrap();
    let bomb = bomb.finish().unwrap();
    let site = Site::new(move |path| match path {
        "/" => Reply::page(
            "<a href=/endless>e</a><a href=/bomb>b</a><a href=/drip>d</a><a href=/lie>l</a><a href=/video>v</a>",
        ),
        "/endless" => Reply::page("").endless(vec![b'x'; 1 << 16], Duration::ZERO),
        "/video" => {
            Reply::page("").endless(vec![0; 1 << 16], Duration::ZERO).with("content-type", "video/mp4")
        }
        "/drip" => Reply::page("").endless(b"<p>drip".to_vec(), Duration::from_millis(20)),
        "/bomb" => Reply::page("").body(bomb.clone()).with("content-encoding", "gzip"),
        "/lie" => Reply::page("<p>plain").with("content-encoding", "gzip"),
        _ => Reply::status(404),
    });
    let mut settings = site.settings();
    settings.limits.page_bytes = 1 << 20;
    settings.limits.page_time = Duration::from_secs(1);
    let started = Instant::now();
    let crawl = site.crawl(&settings);
    assert!(started.elapsed() < Duration::from_secs(10));
    for path in ["/endless", "/bomb"] {
        assert_eq!(crawl.outcome(path), "the page has more than 1048576 bytes", "{path}");
    }
    assert_eq!(crawl.outcome("/drip"), "no answer within 1 seconds");
    assert_eq!((crawl.outcome("/video"), crawl.outcome("/lie")), ("Resource".to_owned(), "Page".to_owned()));
}

#[test]
fn links_and_redirects_to_other_servers_are_refused() {
    let secret = Site::of(&[("/", "secret")]);
    let target = secret.url.clone();
    let port = target.rsplit(':').next().unwrap().to_owned();
    let site = Site::new(move |path| match path {
        "/" => Reply::page("<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href='http://[::1]/'>d</a>"),
        "/a" => Reply::redirect(target.clone()),
        "/b" => Reply::redirect(format!("http://localhost:{port}/")),
        "/c" => Reply::redirect("http://169.254.169.254/latest/meta-data/"),
        _ => Reply::status(404),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!((crawl.pages(), secret.log().len()), (vec!["/".to_owned()], 0));
    assert_eq!(crawl.skipped().len(), 4);
    assert!(crawl.skipped().iter().all(|(_, rule)| rule == "another host"));
}

#[test]
fn robots_txt_and_sitemaps_do_not_lead_to_another_port_or_a_private_address() {
    let secret = Site::of(&[("/robots.txt", "Sitemap: http://localhost/"), ("/map.xml", "/never")]);
    let port = secret.url.rsplit(':').next().unwrap().to_owned();
    // Another port of the typed host, and a name that resolves to this machine.
    for target in [secret.url.clone(), format!("http://localhost:{port}")] {
        let (redirected, named) = (target.clone(), target.clone());
        let site = Site::new(move |path| match path {
            "/robots.txt" => Reply::redirect(format!("{redirected}/robots.txt")),
            _ => Reply::page("text"),
        });
        let crawl = site.crawl(&site.settings());
        let skipped = crawl.skipped();
        assert!(skipped[0].1.contains("the host is the private address"), "{skipped:?}");
        let site = Site::new(move |path| match path {
            "/robots.txt" => Reply::page(format!("Sitemap: {named}/map.xml")),
            _ => Reply::page("text"),
        });
        let mut settings = site.settings();
        settings.sitemaps = true;
        let crawl = site.crawl(&settings);
        let sitemap = crawl.crawled.sitemaps().next().unwrap().unwrap();
        assert_eq!(sitemap.url, format!("{target}/map.xml"));
        assert!(sitemap.problem.unwrap().contains("the host is the private address"));
        assert_eq!(crawl.pages(), ["/"]);
    }
    assert!(secret.log().is_empty(), "{:?}", secret.log());
}

#[test]
fn a_crawl_of_a_name_of_this_machine_does_not_reach_its_other_names() {
    let site = Site::new(|path| match path {
        "/" => Reply::page("<a href=/a>a</a>"),
        _ => Reply::page("text"),
    });
    let mut settings = site.settings();
    settings.start.set_host(Some("localhost")).unwrap();
    settings.robots = false;
    let crawl = site.crawl(&settings);
    assert_eq!((crawl.counts.pages, site.log().len()), (2, 2));
}

#[test]
fn wrong_character_sets_nested_tags_and_broken_markup_are_read() {
    let site = Site::new(|path| match path {
        "/" => Reply::page(
            "<a href=/utf>u</a><a href=/deep>d</a><a href=/broken>b</a><a href='http://[broken'>x</a>",
        ),
        "/utf" => Reply::page("")
            .body(b"<p>\xff\xfe\xe9 caf\xe9".to_vec())
            .with("content-type", "text/html; charset=nonsense"),
        "/deep" => {
            Reply::page(format!("{}<p>text{}", "<div><b>".repeat(10_000), "</b></div>".repeat(10_000)))
        }
        "/broken" => {
            Reply::page("<title><script>alert(1)</script></title><a href='javascript:alert(1)'>x<p <p><")
        }
        _ => Reply::status(404),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.pages(), ["/", "/broken", "/deep", "/utf"]);
    let title = crawl.crawled.page(3).unwrap().unwrap().visit.page.unwrap().title;
    assert_eq!(title.as_deref(), Some("<script>alert(1)</script>"));
}

#[test]
fn links_without_end_do_not_fill_the_memory() {
    let site = Site::new(|path| match path {
        "/robots.txt" => Reply::status(404),
        // Letters, so that no form repeats.
        _ => Reply::page(
            (0..150_000_u32).map(|link| format!("<a href=/{}>", letters(link))).collect::<String>(),
        ),
    });
    let mut settings = site.settings();
    settings.max_pages = 1;
    let crawl = site.crawl(&settings);
    let page = crawl.crawled.visit(0).unwrap().unwrap().page.unwrap();
    assert_eq!((page.links.len(), page.has_more_links), (100_000, true));
    assert_eq!(crawl.counts.found, 10_003);
    assert_eq!(crawl.skipped()[0].1, "10003 URLs were found before, which is enough for the limit of pages");
}

fn letters(mut number: u32) -> String {
    let mut letters = String::new();
    for _ in 0..5 {
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters
}

#[test]
fn a_crawl_ends_when_its_time_is_over() {
    let site =
        Site::new(|path| Reply::page(format!("<a href={path}a>next</a>")).after(Duration::from_millis(20)));
    let mut settings = site.settings();
    settings.robots = false;
    settings.max_time = Some(Duration::from_millis(300));
    let started = Instant::now();
    let crawl = site.crawl(&settings);
    // Without the limit it would go on for minutes.
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(!crawl.crawled.is_complete());
    assert_eq!(crawl.skipped()[0].1, "the crawl has ended before this page");
}
