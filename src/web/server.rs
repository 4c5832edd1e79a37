//! The HTTP server: serves the page and its stream of events on the loopback address to clients with the key.
//!
//! Other pages in the same browser can send requests here, and foreign host names can resolve to this address.
//! So every request must have the key in its path, our own address as its host, and no foreign origin.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread::Builder;
use std::time::Duration;

use crossbeam_channel::{Sender, TrySendError};
use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{
    CONTENT_DISPOSITION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, LOCATION, ORIGIN,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

use super::download::Download;
use super::messages::Ask;
use super::tabs::TabEvent;
use crate::coach::Export;
use crate::page::live;

/// The default port.
pub const PORT: u16 = 2710;

/// The size limit of a question, which may be a part of a file of games.
pub const MOST_BYTES: usize = 16 << 20;

/// The most connections at once. Others are closed at once.
const MOST_CONNECTIONS: usize = 256;

/// The time limit for a connection without the key.
const STRANGER_TIMEOUT: Duration = Duration::from_secs(5);

/// The time limits for a request to arrive: its head and its body.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The most events that wait for a slow reader. A slower one is disconnected, and starts again.
const MOST_WAITING: usize = 256;

/// The headers of every answer. The page may only run its own scripts. It talks to this server, and to the two from
/// which a person brings games.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' \
         https://lichess.org https://api.chess.com; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// The stream of a tab's events. The voice is told when it ends.
pub struct Events {
    tab: u64,
    queue: mpsc::Receiver<Bytes>,
    voice: Sender<TabEvent>,
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.queue.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.voice.send(TabEvent::Closed(self.tab)).ok();
    }
}

type Content = Either<Full<Bytes>, Either<Events, Download>>;

struct Site {
    key: String,
    /// A key that serves one request, since other users may see its address.
    once: Mutex<Option<String>>,
    port: u16,
    voice: Sender<TabEvent>,
    tabs: AtomicU64,
}

/// Opens the wanted port, or a free one if it is taken.
pub fn listen(port: u16) -> io::Result<TcpListener> {
    let at = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = at(port).or_else(|_| at(0))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Starts to serve on a thread of its own.
pub fn serve(
    listener: TcpListener,
    key: String,
    once: String,
    voice: Sender<TabEvent>,
) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    let once = Mutex::new(Some(once));
    let site = Arc::new(Site { key, once, port, voice, tabs: AtomicU64::new(0) });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let run = move || runtime.block_on(accept(listener, site));
    Builder::new().name("server".to_string()).spawn(run).map(drop)
}

async fn accept(listener: TcpListener, site: Arc<Site>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Perhaps too many files are open; some will be closed soon.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else { continue };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            let has_key = AtomicBool::new(false);
            let service = service_fn(|request| respond(&site, request, &has_key));
            let mut protocol = http1::Builder::new();
            protocol.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
            let mut connection = pin!(protocol.serve_connection(TokioIo::new(stream), service));
            // A broken connection concerns no other.
            let is_over = timeout(STRANGER_TIMEOUT, connection.as_mut()).await.is_ok();
            if !is_over && has_key.load(Relaxed) {
                connection.await.ok();
            }
            drop(permit);
        });
    }
}

async fn respond(
    site: &Site,
    request: Request<Incoming>,
    has_key: &AtomicBool,
) -> Result<Response<Content>, Infallible> {
    let mut response = match site.path_of(&request) {
        Some(path) => {
            has_key.store(true, Relaxed);
            answer(site, &path, request).await
        }
        None if site.is_first(&request) => site.page(),
        None => text(StatusCode::FORBIDDEN, "This is Zebu's board, for who has its address.\n"),
    };
    for (name, value) in HEADERS {
        let value = hyper::header::HeaderValue::from_static(value);
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
    Ok(response)
}

impl Site {
    /// Routes a request that has the key and comes from our own page or from no page.
    fn path_of(&self, request: &Request<Incoming>) -> Option<String> {
        let is_ours = |authority: &str| {
            [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)]
                .iter()
                .any(|own| own == authority)
        };
        let headers = request.headers();
        let origin = match headers.get(ORIGIN) {
            Some(origin) => Some(origin.to_str().ok()?.strip_prefix("http://")?),
            None => None,
        };
        let site = header(headers, "sec-fetch-site").unwrap_or("none");
        let may_ask = is_ours(header(headers, HOST.as_str())?)
            && origin.is_none_or(is_ours)
            && matches!(site, "same-origin" | "none");
        let path = request.uri().path().strip_prefix('/')?;
        let (key, path) = path.split_once('/')?;
        (may_ask && is_equal(key, &self.key)).then(|| path.to_string())
    }

    /// Whether the request has the key that serves once.
    fn is_first(&self, request: &Request<Incoming>) -> bool {
        let key = request.uri().path().trim_matches('/');
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.take_if(|once| is_equal(key, once)).is_some()
    }

    /// Redirects to the page.
    fn page(&self) -> Response<Content> {
        let mut response = text(StatusCode::SEE_OTHER, "");
        let place = hyper::header::HeaderValue::from_str(&format!("/{}/", self.key));
        place.into_iter().for_each(|place| drop(response.headers_mut().insert(LOCATION, place)));
        response
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Compares in constant time.
fn is_equal(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differences == 0
}

async fn answer(site: &Site, path: &str, request: Request<Incoming>) -> Response<Content> {
    let get = request.method() == Method::GET;
    match path {
        "" if get => of_type("text/html; charset=utf-8", live::page()),
        "page.css" if get => of_type("text/css; charset=utf-8", live::style()),
        "page.js" if get => of_type("text/javascript; charset=utf-8", live::script()),
        "games.pgn" if get => download(site, Export::Pgn, "application/x-chess-pgn").await,
        "games.json" if get => download(site, Export::Json, "application/json").await,
        "events" if get => events(site),
        "ask" if request.method() == Method::POST => ask(site, request).await,
        _ => text(StatusCode::NOT_FOUND, "There is nothing here.\n"),
    }
}

fn events(site: &Site) -> Response<Content> {
    let tab = 1 + site.tabs.fetch_add(1, Relaxed);
    let (sender, queue) = mpsc::channel(MOST_WAITING);
    let listener = move |event: &str| sender.try_send(format!("data: {event}\n\n").into()).is_ok();
    let events = Events { tab, queue, voice: site.voice.clone() };
    match site.voice.try_send(TabEvent::Opened(tab, Box::new(listener))) {
        Ok(()) => {
            let mut response = Response::new(Either::Right(Either::Left(events)));
            let kind = hyper::header::HeaderValue::from_static("text/event-stream");
            response.headers_mut().insert(CONTENT_TYPE, kind);
            response
        }
        Err(_) => text(StatusCode::SERVICE_UNAVAILABLE, "Too much at once.\n"),
    }
}

/// Everything in the library, as a file.
async fn download(site: &Site, export: Export, kind: &'static str) -> Response<Content> {
    let begin = |sink| {
        let sent = site.voice.try_send(TabEvent::Export(export, sink));
        sent.map_err(|_| "Too much at once.".to_string())
    };
    match Download::begin(begin).await {
        Ok(file) => {
            let mut response = Response::new(Either::Right(Either::Right(file)));
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(kind));
            let saved = hyper::header::HeaderValue::from_static("attachment");
            headers.insert(CONTENT_DISPOSITION, saved);
            response
        }
        Err(problem) => text(StatusCode::SERVICE_UNAVAILABLE, &format!("{problem}\n")),
    }
}

async fn ask(site: &Site, request: Request<Incoming>) -> Response<Content> {
    // Another page's form cannot send this type.
    if header(request.headers(), CONTENT_TYPE.as_str()) != Some("application/json") {
        return text(StatusCode::UNSUPPORTED_MEDIA_TYPE, "A question is in JSON.\n");
    }
    let tab = header(request.headers(), "x-tab").and_then(|tab| tab.parse().ok()).unwrap_or(0);
    let body = Limited::new(request.into_body(), MOST_BYTES).collect();
    let Ok(Ok(body)) = timeout(BODY_TIMEOUT, body).await else {
        let problem = format!("It did not arrive, or has more than {} MB.\n", MOST_BYTES >> 20);
        return text(StatusCode::PAYLOAD_TOO_LARGE, &problem);
    };
    let ask: Ask = match serde_json::from_slice(&body.to_bytes()) {
        Ok(ask) => ask,
        Err(error) => return text(StatusCode::BAD_REQUEST, &format!("{error}\n")),
    };
    let (reply, answered) = oneshot::channel();
    match site.voice.try_send(TabEvent::Asked(
        tab,
        ask,
        Box::new(|answer| drop(reply.send(answer))),
    )) {
        Ok(()) => match answered.await {
            Ok(answer) => of_type("application/json", answer.json()),
            Err(_) => text(StatusCode::SERVICE_UNAVAILABLE, "Zebu is closing.\n"),
        },
        Err(TrySendError::Full(_)) => text(StatusCode::TOO_MANY_REQUESTS, "Too much at once.\n"),
        Err(TrySendError::Disconnected(_)) => {
            text(StatusCode::SERVICE_UNAVAILABLE, "Zebu is closing.\n")
        }
    }
}

fn of_type(kind: &'static str, content: String) -> Response<Content> {
    let mut response = Response::new(Either::Left(Full::from(content)));
    let kind = hyper::header::HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn text(status: StatusCode, text: &str) -> Response<Content> {
    let mut response = of_type("text/plain; charset=utf-8", text.to_string());
    *response.status_mut() = status;
    response
}
