//! Streams to a data stream of a search engine.

use super::*;

/// A page with a time, which data streams need.
fn timed(id: &str, first: usize) -> Option<String> {
    let page = json!({ "id": id, "text": text(first), "@timestamp": "2026-11-30T10:00:00Z" });
    Some(page.to_string())
}

fn dropping(place: &Place) -> StreamSettings {
    StreamSettings { duplicates: Duplicates::Drop, ..place.settings() }
}

fn data_stream(place: &Place, names: &[&'static str]) {
    place.search.engine().data_streams = names.to_vec();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_data_stream_gets_new_documents_and_no_changes() {
    for place in Place::of_each_kind().await {
        data_stream(&place, &["pages"]);
        place.send(&[
            ("a", timed("a", 0)),
            ("b", timed("b", 15)),
            ("c", timed("c", 1000)),
            ("d", page("d", 2000)),
            ("a", None),
            ("e", timed("e", 16)),
        ]);
        let totals = place.run(dropping(&place)).await.unwrap();
        assert_eq!(totals, StreamTotals { new: 3, duplicates: 2, dead: 2, ..StreamTotals::default() });
        assert_eq!(place.search.shape(), shape(&[("a", &[]), ("c", &[])]));
        let mut dead = place.dead();
        dead.sort_by_key(|letter| letter["offset"].as_i64());
        let reasons: Vec<&Value> = dead.iter().map(|letter| &letter["reason"]).collect();
        assert_eq!(
            reasons,
            [
                "illegal_argument_exception: data stream timestamp field is missing",
                "it removes a document, which the data stream pages does not allow; delete it there by a query"
            ]
        );
        // It comes again, with another field.
        let again = timed("c", 1000).unwrap().replace('{', "{\"n\": 1, ");
        place.send(&[("c", Some(again))]);
        let totals = place.run(dropping(&place)).await.unwrap();
        assert_eq!(totals, StreamTotals { unchanged: 1, ..StreamTotals::default() });
        assert!(place.search.engine().documents["c"]["n"].is_null());
        assert_eq!(place.dead().len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_data_stream_is_refused_by_name_if_documents_would_be_changed() {
    let place = Place::new().await;
    place.send(&[("a", timed("a", 0))]);
    let refused = async |settings| place.run(settings).await.unwrap_err().to_string();
    data_stream(&place, &["pages"]);
    let ttl = Some(Duration::from_secs(1000));
    let apart = || StreamSettings { duplicates: Duplicates::Apart("copies".to_owned()), ..place.settings() };
    for settings in [place.settings(), StreamSettings { ttl, ..dropping(&place) }, apart()] {
        let said = "pages is a data stream, which takes new documents only; give --duplicates drop and no --ttl, or write to an index";
        assert_eq!(refused(settings).await, said);
    }
    data_stream(&place, &["copies"]);
    let said = "copies is a data stream, which takes new documents only; name an index in --duplicates, or drop duplicates";
    assert_eq!(refused(apart()).await, said);
    assert_eq!(place.search.engine().requests, 0);
    // Nothing was decided.
    let totals = place.run(dropping(&place)).await.unwrap();
    assert_eq!(totals, StreamTotals { new: 1, ..StreamTotals::default() });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_is_asked_for_data_streams_until_it_answers() {
    let place = Place::new().await;
    data_stream(&place, &["pages"]);
    place.search.engine().looks = [503, 429].into();
    assert!(place.run(place.settings()).await.unwrap_err().to_string().starts_with("pages is a data stream"));
    // One that has no data streams, and a user who may not ask.
    data_stream(&place, &[]);
    for (id, status) in [("a", 400), ("b", 403)] {
        place.search.engine().looks = [status].into();
        place.send(&[(id, page(id, usize::from(status) * 1000))]);
        assert_eq!(place.run(place.settings()).await.unwrap().new, 1, "{status}");
    }
}
