# One image for web, events, worker, record and beat: they differ by their command (compose.yaml).
# It carries what production needs and nothing else, runs as nobody in particular, and writes to
# /data and /tmp alone, so that its own files can be read-only.

FROM python:3.13-slim AS packages
COPY requirements.txt /tmp/requirements.txt
# Wheels alone: nobody's build script runs here.
RUN python -m venv /venv \
    && /venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
        --require-hashes --only-binary :all: -r /tmp/requirements.txt

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Pitboss" \
      org.opencontainers.image.licenses="MIT"
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PITBOSS_ENV=production \
    PITBOSS_DATA=/data
RUN groupadd --gid 10001 pitboss \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin pitboss \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=packages /venv /venv
WORKDIR /site
COPY manage.py pyproject.toml LICENSE ./
COPY pitboss pitboss
COPY tables tables
COPY inventory inventory
COPY jackpots jackpots
COPY templates templates
COPY static static
COPY locale locale
COPY docs/manual docs/manual
COPY docs/pictures docs/pictures
# Compiled once, here: at run time there is nowhere to keep it.
RUN python -m compileall -q pitboss tables inventory jackpots
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["python", "-c", "import http.client, os; c = http.client.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/livez', headers={'Host': os.environ['PITBOSS_ALLOWED_HOSTS'].split(',')[0], 'X-Forwarded-Proto': 'https'}); raise SystemExit(c.getresponse().status != 200)"]
CMD ["granian", "--interface", "rsgi", "--no-ws", "--host", "0.0.0.0", "--port", "8000", "--workers", "4", "--respawn-failed-workers", "--workers-kill-timeout", "10", "pitboss.front:front"]
