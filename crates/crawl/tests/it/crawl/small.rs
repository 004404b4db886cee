//! What is crawled of an ordinary site.

use super::server::{Reply, Site};
use lookalike_crawl::Extent;
use std::io::Write;
use std::sync::{Arc, OnceLock};

#[test]
fn all_pages_that_links_reach_are_visited_once() {
    let site = Site::of(&[
        (
            "/",
            "<a href=a>A</a> <a href='b/?utm_source=x#top'>B</a> <a href=/a>again</a> <a href=mailto:me@example.org>m</a>",
        ),
        ("/a", "<a href=/>home</a> <a href=missing>m</a>"),
        ("/b/", "<a href=c>C</a> <a href=//elsewhere.example/>out</a>"),
        ("/b/c", "<title>C &amp; D</title><h1>Three</h1><p>Some text."),
        ("/unlinked", "nobody knows"),
    ]);
    let crawl = site.crawl(&site.settings());
    let expected = [("/", 200), ("/a", 200), ("/b/", 200), ("/b/c", 200), ("/missing", 404)];
    assert_eq!(crawl.visits(), expected.map(|(path, status)| (path.to_owned(), status)));
    assert_eq!(crawl.skipped(), [("http://elsewhere.example/".to_owned(), "another host".to_owned())]);
    let mut log = site.log();
    log.sort();
    assert_eq!(log, ["/", "/a", "/b/", "/b/c", "/missing", "/robots.txt"]);
    assert!(crawl.crawled.is_complete());
    let page =
        crawl.crawled.page(crawl.crawled.number_of(&format!("{}/b/c", site.url)).unwrap()).unwrap().unwrap();
    let facts = page.visit.page.unwrap();
    assert_eq!((facts.title.as_deref(), facts.heading.as_deref()), (Some("C & D"), Some("Three")));
    assert_eq!(page.blocks.last().unwrap().text, "Some text.");
}

#[test]
fn links_are_stored_resolved_with_their_texts_and_as_they_were_written() {
    let site = Site::of(&[(
        "/",
        "<base href=/x/><a href='y?utm_medium=m&b=1&a=2#z'><img></a><nav><a href=y?b=1&a=2 rel=nofollow>Y</a></nav>",
    )]);
    let crawl = site.crawl(&site.settings());
    let links = crawl.crawled.page(0).unwrap().unwrap().visit.page.unwrap().links;
    let link = &links[0];
    assert_eq!((links.len(), link.text.as_str(), link.nofollow), (1, "Y", false));
    assert_eq!(link.url, format!("{}/x/y?b=1&a=2", site.url));
    assert_eq!(link.written.as_deref(), Some(&*format!("{}/x/y?utm_medium=m&b=1&a=2", site.url)));
}

#[test]
fn a_redirect_leads_to_a_visit_of_its_own_and_is_a_visit_itself() {
    let site = Site::new(|path| match path {
        "/" => Reply::page("<a href=/old>old</a><a href=/new>new</a><a href=/loop>loop</a>"),
        "/old" => Reply::redirect("/older"),
        "/older" => Reply::redirect("new"),
        "/new" => Reply::page("new"),
        "/loop" => Reply::redirect("/loop2"),
        "/loop2" => Reply::redirect("/loop"),
        _ => Reply::status(404),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.pages(), ["/", "/new"]);
    assert_eq!(crawl.outcome("/old"), r#"Redirect { target: "/older" }"#);
    assert_eq!(site.asked("/new"), 1);
    assert_eq!((site.asked("/loop"), site.asked("/loop2")), (1, 1));
    let number = |path: &str| crawl.crawled.number_of(&format!("{}{path}", site.url)).unwrap();
    let chain = |path: &str| crawl.crawled.redirects(number(path)).unwrap();
    assert_eq!(chain("/old"), [number("/older"), number("/new")]);
    assert_eq!((chain("/loop"), chain("/new")), (vec![number("/loop2")], vec![]));
}

#[test]
fn a_page_that_redirects_to_itself_has_failed() {
    let site = Site::new(|path| match path {
        "/" => Reply::page("<a href=/cart>c</a>"),
        "/cart" => Reply::redirect("/cart?PHPSESSID=9"),
        _ => Reply::page("never"),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.outcome("/cart"), format!("it redirects to itself, as {}/cart?PHPSESSID=9", site.url));
    assert_eq!((crawl.visits().len(), crawl.visits()[1].1), (2, 302));
}

#[test]
fn a_chain_of_redirects_is_followed_ten_times() {
    let site = Site::new(|path| match path.trim_start_matches('/').parse::<u32>() {
        Ok(number) => Reply::redirect(format!("/{}", number + 1)),
        Err(_) => Reply::page("<a href=/1>one</a>"),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.counts.visited, 12);
    let rule = "more than 10 redirects behind each other".to_owned();
    assert_eq!(crawl.skipped(), [("/12".to_owned(), rule)]);
}

#[test]
fn what_is_not_a_page_is_recorded_and_not_read() {
    let site = Site::new(|path| match path {
        "/" => Reply::page("<a href=/a.pdf>a</a><a href=/plain>p</a>"),
        "/a.pdf" => Reply::page("").body(vec![0; 5000]).with("content-type", "application/pdf"),
        "/plain" => Reply::page("<a href=/never>").with("content-type", "text/plain"),
        _ => Reply::status(404),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!((crawl.pages(), crawl.outcome("/a.pdf")), (vec!["/".to_owned()], "Resource".to_owned()));
    let number = crawl.crawled.number_of(&format!("{}/a.pdf", site.url)).unwrap();
    let visit = crawl.crawled.visit(number).unwrap().unwrap();
    assert_eq!((visit.bytes, visit.content_type.as_deref()), (5000, Some("application/pdf")));
    assert_eq!(site.asked("/never"), 0);
}

#[test]
fn what_a_page_declares_is_stored_from_tags_and_from_headers() {
    let site = Site::new(|path| match path {
        "/" => Reply::page(
            "<html lang=en><link rel=canonical href=/tag><meta name=robots content='noindex, follow'>\
             <link rel=alternate hreflang=de href=/de>",
        )
        .with("link", "</header>; rel=canonical, </fr>; rel=alternate; hreflang=fr")
        .with("x-robots-tag", "noarchive"),
        "/robots.txt" => Reply::status(404),
        _ => Reply::page(""),
    });
    let crawl = site.crawl(&site.settings());
    let visit = crawl.crawled.visit(0).unwrap().unwrap();
    let path = |url: &str| url.strip_prefix(&site.url).unwrap().to_owned();
    assert_eq!(visit.canonical().map(path).as_deref(), Some("/header"));
    assert!(visit.asks_robots("noindex") && visit.asks_robots("noarchive") && !visit.asks_robots("nofollow"));
    let page = visit.page.unwrap();
    assert_eq!(
        (page.canonical.as_deref().map(path).as_deref(), page.language.as_deref()),
        (Some("/tag"), Some("en"))
    );
    let alternates: Vec<_> =
        page.alternates.iter().map(|one| (one.language.as_str(), path(&one.href))).collect();
    assert_eq!(alternates, [("de", "/de".to_owned()), ("fr", "/fr".to_owned())]);
    assert_eq!(crawl.pages(), ["/", "/de", "/fr", "/header"]);
}

#[test]
fn instructions_for_other_robots_are_not_obeyed() {
    let site = Site::new(|path| match path {
        "/" => Reply::page("<a href=/a>a</a>").with("x-robots-tag", "otherbot: noindex, nofollow"),
        "/robots.txt" => Reply::status(404),
        _ => Reply::page("<meta name=otherbot content=noindex><meta name=googlebot content=noindex>"),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.pages(), ["/", "/a"]);
    let is_closed = |number| crawl.crawled.visit(number).unwrap().unwrap().asks_robots("noindex");
    assert_eq!([is_closed(0), is_closed(1)], [false, true], "Google shows the second one nowhere");
}

/// A site with a sitemap that robots.txt names, and that closes `/closed`.
fn listed() -> Site {
    let place = Arc::new(OnceLock::new());
    let url = place.clone();
    let site = Site::new(move |path| match path {
        "/" => Reply::page("<a href=/linked>l</a>"),
        "/linked" | "/orphan" | "/closed" => Reply::page("text"),
        "/start" => Reply::page("<a href=/behind>b</a>"),
        "/behind" => Reply::page("behind"),
        "/robots.txt" => Reply::page(format!(
            "Sitemap: {}/maps/index.xml\nUser-agent: *\nDisallow: /closed",
            url.get().unwrap_or(&String::new())
        )),
        "/maps/index.xml" => Reply::page("<sitemapindex><sitemap><loc>/m.xml</loc></sitemap></sitemapindex>"),
        "/m.xml" => Reply::page(
            "<urlset><url><loc>/orphan</loc></url><url><loc>/linked</loc></url><url><loc>/start</loc></url>\
             <url><loc>/closed</loc></url><url><loc>http://other.example/</loc></url></urlset>",
        ),
        _ => Reply::status(404),
    });
    place.set(site.url.clone()).unwrap();
    site
}

#[test]
fn pages_that_only_a_sitemap_lists_are_visited_after_the_linked_ones() {
    let site = listed();
    let mut settings = site.settings();
    settings.sitemaps = true;
    let crawl = site.crawl(&settings);
    assert_eq!(crawl.pages(), ["/", "/behind", "/linked", "/orphan", "/start"]);
    let facts = |path: &str| {
        let number = crawl.crawled.number_of(&format!("{}{path}", site.url)).unwrap();
        (crawl.crawled.depth(number), crawl.crawled.is_listed(number))
    };
    assert_eq!([facts("/"), facts("/linked")], [(Some(0), false), (Some(1), true)]);
    assert_eq!([facts("/orphan"), facts("/behind")], [(None, true), (None, false)]);
    assert_eq!((crawl.crawled.sitemaps().count(), site.asked("/sitemap.xml")), (2, 0));
}

#[test]
fn robots_txt_names_its_sitemaps_also_if_its_rules_are_not_obeyed() {
    let site = listed();
    let mut settings = site.settings();
    (settings.sitemaps, settings.robots) = (true, false);
    let crawl = site.crawl(&settings);
    assert_eq!(crawl.pages(), ["/", "/behind", "/closed", "/linked", "/orphan", "/start"]);
    assert_eq!((crawl.crawled.sitemaps().count(), site.asked("/robots.txt")), (2, 1));
}

#[test]
fn sitemaps_are_not_read_beyond_the_pages_that_are_crawled() {
    let site = Site::new(|path| match path.strip_prefix("/map") {
        Some(number) => Reply::page(
            (0..5000).map(|page| format!("<url><loc>/{number}-{page}</loc></url>")).collect::<String>(),
        ),
        None if path == "/sitemap.xml" => {
            let maps = ('a'..='z').map(|map| format!("<sitemap><loc>/map{map}</loc></sitemap>"));
            Reply::page(format!("<sitemapindex>{}</sitemapindex>", maps.collect::<String>()))
        }
        None if path == "/robots.txt" => Reply::status(404),
        None => Reply::page("text"),
    });
    let mut settings = site.settings();
    (settings.sitemaps, settings.max_pages) = (true, 2);
    let crawl = site.crawl(&settings);
    // Three of them have more than the 10,006 URLs that are found for two pages.
    assert_eq!((crawl.counts.found, crawl.crawled.sitemaps().count()), (10_006, 4));
    assert_eq!((crawl.pages(), site.log().len()), (vec!["/".to_owned(), "/a-0".to_owned()], 7));
    settings.max_time = Some(std::time::Duration::ZERO);
    let late = site.crawl(&settings);
    assert!(!late.crawled.is_complete() && late.crawled.sitemaps().count() == 0);
}

#[test]
fn the_name_and_password_of_the_address_are_sent_and_not_stored() {
    let site = Site::with_requests(|path, headers| {
        let is_known = headers.get("authorization").is_some_and(|sent| sent == "Basic bWU6cGFzcyB3b3Jk");
        match (is_known, path) {
            (true, "/") => Reply::page("<a href=/a>a</a>"),
            (true, _) => Reply::page("text"),
            (false, _) => Reply::status(401),
        }
    });
    let mut settings = site.settings();
    settings.start.set_username("me").unwrap();
    settings.start.set_password(Some("pass word")).unwrap();
    let crawl = site.crawl(&settings);
    assert_eq!(
        (crawl.pages(), crawl.crawled.source()),
        (vec!["/".to_owned(), "/a".to_owned()], &*format!("{}/", site.url))
    );
}

#[test]
fn a_limit_of_pages_takes_the_first_ones_and_names_the_others() {
    let site = Site::new(|path| match path.trim_start_matches("/p").parse::<u32>() {
        Ok(number) if number % 3 == 0 => Reply::status(404),
        Ok(_) => Reply::page("page"),
        Err(_) => Reply::page((1..40).map(|number| format!("<a href=/p{number}>p</a>")).collect::<String>()),
    });
    let mut settings = site.settings();
    settings.max_pages = 6;
    settings.robots = false;
    let crawl = site.crawl(&settings);
    assert_eq!(crawl.pages(), ["/", "/p1", "/p2", "/p4", "/p5", "/p7"]);
    let skipped = crawl.skipped();
    assert_eq!(skipped[0], ("/p8".to_owned(), "more than 6 pages".to_owned()));
    assert_eq!((skipped.len(), site.asked("/p8")), (32, 0));
}

#[test]
fn encoded_pages_are_decoded() {
    let page = b"<title>decoded</title>";
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(page).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = zstd::encode_all(&page[..], 1).unwrap();
    let site = Site::new(move |path| match path {
        "/" => Reply::page("")
            .body(gzip.clone())
            .with("content-encoding", "gzip")
            .with("link", "</z>; rel=canonical"),
        "/z" => Reply::page("").body(zstd.clone()).with("content-encoding", "zstd"),
        _ => Reply::status(404),
    });
    let crawl = site.crawl(&site.settings());
    let pages = crawl.crawled.pages().map(|page| page.unwrap().1.visit);
    let titles: Vec<_> = pages.map(|visit| (visit.page.unwrap().title, visit.bytes)).collect();
    assert_eq!(titles, vec![(Some("decoded".to_owned()), page.len() as u64); 2]);
}

#[test]
fn a_folder_can_be_the_site() {
    let site =
        Site::of(&[("/docs/", "<a href=a>a</a><a href=/blog>b</a>"), ("/docs/a", "a"), ("/blog", "b")]);
    let mut settings = site.settings();
    settings.start.set_path("/docs/");
    settings.extent = Extent::Folder;
    let crawl = site.crawl(&settings);
    assert_eq!(crawl.pages(), ["/docs/", "/docs/a"]);
    assert_eq!(crawl.skipped()[0].1, "outside of the folder of the start page");
}

#[test]
fn a_folder_without_its_slash_is_the_site_if_the_server_adds_it() {
    let site = Site::new(|path| match path {
        "/docs" => Reply::redirect("/docs/"),
        "/docs/" => Reply::page("<a href=a>a</a><a href=/blog>b</a>"),
        _ => Reply::page("text"),
    });
    let mut settings = site.settings();
    settings.start.set_path("/docs");
    settings.extent = Extent::Folder;
    settings.robots = false;
    assert_eq!(site.crawl(&settings).pages(), ["/docs/", "/docs/a"]);
}
