#!lua name=lookalike_3
-- The functions of an index in Redis. `layout.rs` specifies the keys and the bytes, and `functions.rs` calls these functions.
--
-- Redis runs one function at a time, so each is one step for all clients. The version is in the name of the library and of every
-- function: programs of two versions work with the same Redis. Every change of this file needs a new version.
--
-- KEYS[1] is always `{NAME}:plan`. All keys have the same hash tag, so a cluster has them on one node.

-- Buckets of a table before the first split: the lowest four bits of a key, which its field does not have.
local FIRST_BUCKETS = 16
-- Documents of a bucket on average. Larger buckets take fewer bytes and longer look-ups.
local BUCKET_DOCUMENTS = 64
-- Documents that a text is compared with, and documents that are read for it, at most: as in an index in a folder.
local MOST_COMPARED, MOST_READ = 1024, 16384
-- Bytes of documents in an answer, at which it ends. The client asks for the next ones.
local MOST_BYTES = 4194304
-- Numbers of documents have four bytes.
local MOST_DOCUMENTS = 4294967295
-- The second at which a document expires that never does.
local NEVER = 4294967295
-- The key of the URL of a document that has none.
local NO_URL = 1099511627775
-- Documents with the key of a URL that are read, at most. They have different URLs only by chance.
local MOST_OF_URL = 16
-- Seconds of a list of documents that expire.
local SLOT_SECONDS = 1024

-- Bits of the key by which a part of a fingerprint is found, bytes of the key, and bytes of a rotated fingerprint that a table has.
local PART_KEY_BITS, PART_KEY_BYTES, PART_BYTES = 16, 2, 8

-- Redis gives the standard library to functions that run, and not to their file. `open` sets these.
local floor, byte, sub, bxor

-- Bits of each byte that are 1.
local ONES = { [0] = 0 }
for number = 1, 255 do ONES[number] = ONES[(number - number % 2) / 2] + number % 2 end

local function pack4(number) return struct.pack('<I4', number) end
local function unpack4(bytes, at) return (struct.unpack('<I4', bytes, at)) end

-- The parts of fingerprints: bits before the part, bits of the part, and bits in which near ones may differ. `described` has the bytes of a
-- fingerprint, the distance, and these three of each part, a byte each. By MinHash it is the number of bands, and nothing is returned.
local function parts_of(described)
    if sub(described, 1, 1) ~= 's' then return end
    local parts = { bytes = byte(described, 2), distance = byte(described, 3) }
    for at = 4, #described, 3 do
        local above, bits, tau = byte(described, at, at + 2)
        parts[#parts + 1] = { above = above, bits = bits, tau = tau }
    end
    return parts
end

-- The counters, and the prefix of all keys. `tables` is one for each band or part, one for ids, and one for URLs.
local function open(keys, described)
    floor, byte, sub, bxor = math.floor, string.byte, string.sub, bit.bxor
    local parts = parts_of(described)
    local bands = parts and #parts or tonumber(described)
    local prefix = sub(keys[1], 1, -5)
    local read = redis.call('HMGET', prefix .. 'n', 'documents', 'removed', 'links', 'sequence', 'splits')
    for i = 1, 5 do read[i] = tonumber(read[i] or 0) end
    return {
        prefix = prefix, parts = parts, bands = bands, tables = bands + 2,
        documents = read[1], removed = read[2], links = read[3], sequence = read[4], splits = read[5],
    }
end

local function close(index)
    redis.call('HSET', index.prefix .. 'n', 'documents', index.documents, 'removed', index.removed, 'links', index.links,
        'sequence', index.sequence, 'splits', index.splits)
end

-- The set of packed numbers.
local function set_of(packed)
    local set = {}
    for at = 1, #packed, 4 do set[unpack4(packed, at)] = true end
    return set
end

---- Tables: from keys to numbers of documents

-- The largest power of two that is not above `buckets`.
local function power_below(buckets)
    local power = FIRST_BUCKETS
    while power * 2 <= buckets do power = power * 2 end
    return power
end

-- The redis key and the field of `key` in a table.
local function place_of(index, table_number, key)
    local buckets = FIRST_BUCKETS + floor((index.splits + index.tables - 1 - table_number) / index.tables)
    if index.buckets ~= buckets then index.buckets, index.power = buckets, power_below(buckets) end
    local bucket = key % (2 * index.power)
    if bucket >= buckets then bucket = bucket - index.power end
    return index.prefix .. 'k:' .. table_number .. ':' .. bucket, pack4(floor(key / FIRST_BUCKETS))
end

-- Splits one bucket of one table, if the buckets have too many documents. Tables take turns.
local function split(index)
    local living = index.documents - index.removed
    if living * index.tables <= BUCKET_DOCUMENTS * (FIRST_BUCKETS * index.tables + index.splits) then return end
    local table_number, buckets = index.splits % index.tables, FIRST_BUCKETS + floor(index.splits / index.tables)
    -- No key of a part would come into another bucket.
    if index.parts and table_number < index.bands and buckets >= 2 ^ PART_KEY_BITS then
        index.splits = index.splits + 1
        return
    end
    local power = power_below(buckets)
    local prefix = index.prefix .. 'k:' .. table_number .. ':'
    local from, to = prefix .. (buckets - power), prefix .. buckets
    local entries, moved, fields = redis.call('HGETALL', from), {}, {}
    for i = 1, #entries, 2 do
        if floor(unpack4(entries[i], 1) * FIRST_BUCKETS / power) % 2 == 1 then
            fields[#fields + 1] = entries[i]
            moved[#moved + 1], moved[#moved + 2] = entries[i], entries[i + 1]
        end
    end
    -- Lua passes a few thousand arguments at most.
    for first = 1, #fields, 1000 do
        local last = math.min(first + 999, #fields)
        redis.call('HDEL', from, unpack(fields, first, last))
        redis.call('HSET', to, unpack(moved, 2 * first - 1, 2 * last))
    end
    index.splits = index.splits + 1
end

-- The keys of a document, for all tables from 0 on, from their packed form: two keys of 36 bits in nine bytes.
local function unpack_keys(packed, at, bands)
    local keys = {}
    for band = 0, bands - 1, 2 do
        local a, b, c, d, e, f, g, h, i = byte(packed, at, at + 8)
        keys[band] = a + b * 256 + c * 65536 + d * 16777216 + e % 16 * 4294967296
        if band + 1 < bands then
            keys[band + 1] = floor(e / 16) + f * 16 + g * 4096 + h * 1048576 + i * 268435456
        end
        at = at + 9
    end
    return keys
end

-- Where all keys are: for each table the redis key, the field, and what is there.
local function look_up(index, keys)
    local places = {}
    for table_number, key in pairs(keys) do
        local bucket, field = place_of(index, table_number, key)
        places[table_number] = { bucket, field, redis.call('HGET', bucket, field) }
    end
    return places
end

---- Documents

local function place_of_document(index, number)
    return index.prefix .. 'd:' .. floor(number / 256), string.char(number % 256)
end

local function document(index, number)
    local chunk, field = place_of_document(index, number)
    return redis.call('HGET', chunk, field)
end

-- The parts of a document.
local function expires(document) return unpack4(document, 1) end
local function has_expired(document, now) return expires(document) <= now end
local function content(document)
    local from, to = struct.unpack('<I2I2', document, 5)
    return sub(document, from + 1, to)
end
local function keys_start(document) return (struct.unpack('<I2', document, 7)) + 1 end
local function has_features(document) return keys_start(document) > 1 end

local function id_of(document)
    local from, to = struct.unpack('<I4I4', document, 9)
    return sub(document, from + 1, to)
end
local function id_key(document) return unpack4(document, 17) + byte(document, 21) * 4294967296 end
-- The key of its URL, or nothing.
local function url_key(document)
    local key = unpack4(document, 22) + byte(document, 26) * 4294967296
    if key < NO_URL then return key end
end

local function signature(index, document, bytes)
    local start = keys_start(document)
    if not index.parts then start = start + math.ceil(index.bands * 36 / 8) end
    return sub(document, start, start + bytes - 1)
end

-- Whether two documents have the same text. An index without texts has a part of each content hash, and the signature of so many bytes stands in for
-- the others.
local function has_same_content(index, a, b, bytes)
    if content(a) ~= content(b) then return false end
    if not has_features(a) then return true end
    return signature(index, a, bytes) == signature(index, b, bytes)
end

-- The first bytes of a fingerprint that is rotated so that a part comes first, the highest first. A signature has the lowest first.
local function rotated(fingerprint, above)
    local bytes, count = {}, #fingerprint
    local whole, shift = floor(above / 8), 2 ^ (above % 8)
    for i = 0, PART_BYTES - 1 do
        local high, low = byte(fingerprint, count - (i + whole) % count), byte(fingerprint, count - (i + whole + 1) % count)
        bytes[i + 1] = floor((high * 256 + low) * shift / 256) % 256
    end
    return bytes
end

-- The keys of a document in all tables: those of its id and its URL are the last two. And what follows its number in the tables of parts.
local function keys_of(index, document)
    local keys, rests = {}, {}
    if has_features(document) then
        if index.parts then
            local fingerprint = signature(index, document, index.parts.bytes)
            for i, part in ipairs(index.parts) do
                local bytes = rotated(fingerprint, part.above)
                keys[i - 1] = bytes[1] * 256 + bytes[2]
                rests[i - 1] = string.char(unpack(bytes, PART_KEY_BYTES + 1))
            end
        else
            keys = unpack_keys(document, keys_start(document), index.bands)
        end
    end
    keys[index.bands], keys[index.bands + 1] = id_key(document), url_key(document)
    return keys, rests
end

-- The bytes of an entry of a table.
local function entry_bytes(index, table_number)
    if index.parts and table_number < index.bands then return 4 + PART_BYTES - PART_KEY_BYTES end
    return 4
end

-- The number of the newest document that has this id, and the document.
local function find(index, id, key)
    local bucket, field = place_of(index, index.bands, key)
    local numbers = redis.call('HGET', bucket, field) or ''
    for at = #numbers - 3, 1, -4 do
        local number = unpack4(numbers, at)
        local found = document(index, number)
        if found and id_of(found) == id then return number, found end
    end
end

-- Removes a document. Its links stay: they connect others.
local function remove(index, number, removed)
    local packed = pack4(number)
    for table_number, place in pairs(look_up(index, (keys_of(index, removed)))) do
        local bucket, field, numbers = unpack(place)
        local step = entry_bytes(index, table_number)
        for at = 1, #(numbers or ''), step do
            if sub(numbers, at, at + 3) == packed then
                numbers = sub(numbers, 1, at - 1) .. sub(numbers, at + step)
                break
            end
        end
        if numbers == '' then redis.call('HDEL', bucket, field)
        elseif numbers then redis.call('HSET', bucket, field, numbers) end
    end
    redis.call('HDEL', place_of_document(index, number))
    index.removed, index.sequence = index.removed + 1, index.sequence + 1
end

---- Clusters: each document but the first of a cluster has a parent, which is an older one

local function root(index, number)
    while true do
        local parent = redis.call('HGET', index.prefix .. 'p:' .. floor(number / 256), string.char(number % 256))
        if not parent then return number end
        number = unpack4(parent, 1)
    end
end

local function link(index, a, b)
    a, b = root(index, a), root(index, b)
    if a == b then return end
    local first, member = math.min(a, b), math.max(a, b)
    redis.call('HSET', index.prefix .. 'p:' .. floor(member / 256), string.char(member % 256), pack4(first))
    redis.call('APPEND', index.prefix .. 'm:' .. first, pack4(member))
    index.links, index.sequence = index.links + 1, index.sequence + 1
end

---- Candidates

-- The number of bits that are 1 in `a` or in `b` alone.
local function differing_bits(a, b)
    local differing = 0
    for at = 1, #a do differing = differing + ONES[bxor(byte(a, at), byte(b, at))] end
    return differing
end

-- In how many parts two signatures are equal: values by MinHash, bits by SimHash.
local function equal_parts(index, a, b)
    if index.parts then return 8 * #a - differing_bits(a, b) end
    local equal = 0
    for at = 1, #a, 8 do
        local a1, a2, a3, a4, a5, a6, a7, a8 = byte(a, at, at + 7)
        local b1, b2, b3, b4, b5, b6, b7, b8 = byte(b, at, at + 7)
        if a1 == b1 then equal = equal + 1 end
        if a2 and a2 == b2 then equal = equal + 1 end
        if a3 and a3 == b3 then equal = equal + 1 end
        if a4 and a4 == b4 then equal = equal + 1 end
        if a5 and a5 == b5 then equal = equal + 1 end
        if a6 and a6 == b6 then equal = equal + 1 end
        if a7 and a7 == b7 then equal = equal + 1 end
        if a8 and a8 == b8 then equal = equal + 1 end
    end
    return equal
end

-- Whether the entry that starts at `at` is near the rotated fingerprint `bytes`, as in an index in a folder: their parts differ in `tau` bits at
-- most, and their first 64 bits in `distance`. Their keys differ in `flips` bits.
local function is_near(entries, at, bytes, part, distance, flips)
    local differing, in_part, left = flips, flips, part.bits - PART_KEY_BITS
    for i = PART_KEY_BYTES + 1, PART_BYTES do
        local differs = bxor(byte(entries, at + 1 + i), bytes[i])
        differing = differing + ONES[differs]
        if differing > distance then return false end
        if left > 0 then in_part = in_part + ONES[floor(differs / 2 ^ math.max(8 - left, 0))] end
        left = left - 8
    end
    return in_part <= part.tau
end

-- Looks at all keys that differ from `key` in `most` bits at most.
local function visit_near(key, most, look, flips, first)
    look(key, flips)
    if flips == most then return end
    for flipped = first, PART_KEY_BITS - 1 do visit_near(bxor(key, 2 ^ flipped), most, look, flips + 1, flipped + 1) end
end

-- Calls `found` with each document that is in a table with a key of `query`, or near it. A document may be in several tables.
local function visit_candidates(index, places, query, found)
    if not index.parts then
        for table_number = 0, index.bands - 1 do
            local numbers = places[table_number] and places[table_number][3] or ''
            for at = 1, #numbers, 4 do found(unpack4(numbers, at)) end
        end
        return
    end
    for i, part in ipairs(index.parts) do
        local bytes, step = rotated(query.signature, part.above), entry_bytes(index, i - 1)
        visit_near(bytes[1] * 256 + bytes[2], part.tau, function(key, flips)
            local bucket, field = place_of(index, i - 1, key)
            local entries = redis.call('HGET', bucket, field) or ''
            for at = 1, #entries, step do
                if is_near(entries, at, bytes, part, index.parts.distance, flips) then found(unpack4(entries, at)) end
            end
        end, 0, 0)
    end
end

-- The documents that may be similar, those that share most keys first if there are too many, and for equal ones the newest first.
local function candidates_of(index, places, query)
    local shared, order = {}, {}
    visit_candidates(index, places, query, function(number)
        if not shared[number] then order[#order + 1] = number end
        shared[number] = (shared[number] or 0) + 1
    end)
    if #order > MOST_COMPARED then
        table.sort(order, function(a, b)
            if shared[a] ~= shared[b] then return shared[a] > shared[b] end
            return a > b
        end)
    end
    return order
end

-- What a text is compared with. `query` has its signature, `now`, `least` (equal parts of two signatures), and the documents that the
-- client has compared it with: `refuted` and `similar` ones. Of these, only similar ones that are still there are in the answer.
local function compare(index, places, query)
    local order = candidates_of(index, places, query)
    local answer = { candidates = #order, compared = 0, capped = 0, more = 0, similar = {}, documents = {} }
    local bytes = 0
    for read, number in ipairs(order) do
        if answer.compared == MOST_COMPARED or read > MOST_READ then answer.capped = 1 break end
        if bytes >= MOST_BYTES then answer.more = 1 break end
        local is_compared = query.refuted[number]
        if not is_compared then
            local found = document(index, number)
            if found and not has_expired(found, query.now)
                and equal_parts(index, query.signature, signature(index, found, #query.signature)) >= query.least then
                is_compared = true
                if query.similar[number] then
                    answer.similar[#answer.similar + 1] = number
                else
                    bytes = bytes + #found
                    answer.documents[#answer.documents + 1], answer.documents[#answer.documents + 2] = number, found
                end
            end
        end
        if is_compared then answer.compared = answer.compared + 1 end
    end
    return answer
end

local NOTHING = { candidates = 0, compared = 0, capped = 0, more = 0, similar = {}, documents = {} }

-- The answer to `check` and `add`: the step, the sequence number, the number of a document, figures, the similar documents that are still
-- there, and then each document to compare after its number.
local function answer_of(index, step, number, compared)
    local similar = {}
    for i, other in ipairs(compared.similar) do similar[i] = pack4(other) end
    return { step, index.sequence, number or 0, compared.candidates, compared.compared, compared.capped, compared.more,
        table.concat(similar), unpack(compared.documents) }
end

-- The steps of an answer. UNDECIDED: the client compares the documents, and asks again.
local UNDECIDED, ADDED, UNCHANGED, OTHER_TEXT, DUPLICATE = 0, 1, 2, 3, 4

-- ARGV: tables, now, least, packed keys (none by SimHash), signature, refuted, similar
local function check(keys, args)
    local index = open(keys, args[1])
    local query = {
        now = tonumber(args[2]), least = tonumber(args[3]), signature = args[5], refuted = set_of(args[6]), similar = set_of(args[7]),
    }
    local places = not index.parts and look_up(index, unpack_keys(args[4], 1, index.bands))
    return answer_of(index, UNDECIDED, nil, compare(index, places, query))
end

-- Puts a document into the list of those that expire with it.
local function expect_expiry(index, number, second)
    if second < NEVER then
        local slot = floor(second / SLOT_SECONDS)
        if redis.call('RPUSH', index.prefix .. 'x:' .. slot, pack4(number)) == 1 then
            redis.call('ZADD', index.prefix .. 'x', slot, slot)
        end
    end
end

local function store(index, new, places, rests)
    local number = index.documents
    local packed = pack4(number)
    for table_number, place in pairs(places) do
        redis.call('HSET', place[1], place[2], (place[3] or '') .. packed .. (rests[table_number] or ''))
    end
    local chunk, field = place_of_document(index, number)
    redis.call('HSET', chunk, field, new)
    expect_expiry(index, number, expires(new))
    index.documents, index.sequence = number + 1, index.sequence + 1
    return number
end

-- ARGV: tables, now, least, mode (refuse, ignore or store), the bytes of a signature, the document, refuted, similar
local function add(keys, args)
    local index, now, mode, new = open(keys, args[1]), tonumber(args[2]), args[4], args[6]
    local same, same_document = find(index, id_of(new), id_key(new))
    if same and not has_expired(same_document, now) then
        return answer_of(index, has_same_content(index, new, same_document, tonumber(args[5])) and UNCHANGED or OTHER_TEXT, same, NOTHING)
    end
    local new_keys, rests = keys_of(index, new)
    local places, compared = look_up(index, new_keys), NOTHING
    if mode ~= 'ignore' and has_features(new) then
        compared = compare(index, places, {
            now = now, least = tonumber(args[3]), signature = signature(index, new, tonumber(args[5])),
            refuted = set_of(args[7]), similar = set_of(args[8]),
        })
        if #compared.documents > 0 then return answer_of(index, UNDECIDED, nil, compared) end
        if mode == 'refuse' and #compared.similar > 0 then return answer_of(index, DUPLICATE, nil, compared) end
    end
    if index.documents == MOST_DOCUMENTS then return redis.error_reply('FULL the index has 4294967295 documents') end
    local sequence = index.sequence
    if same then
        -- It has expired. An id has one document, also for a client whose clock is behind.
        remove(index, same, same_document)
        places = look_up(index, new_keys)
    end
    local number = store(index, new, places, rests)
    for _, other in ipairs(compared.similar) do link(index, other, number) end
    split(index)
    close(index)
    index.sequence = sequence
    return answer_of(index, ADDED, number, compared)
end

-- ARGV: tables, id, key of the id. Returns the sequence number, and the number of the document, or -1.
local function remove_id(keys, args)
    local index = open(keys, args[1])
    local sequence = index.sequence
    local number, found = find(index, args[2], tonumber(args[3]))
    if not number then return { sequence, -1 } end
    remove(index, number, found)
    close(index)
    return { sequence, number }
end

-- ARGV: tables, id, key of the id, second, now. Lets the document expire at this second, unless it expires later anyway. Returns the sequence number,
-- the number of the document or -1, and when it expires.
local function touch(keys, args)
    local index, second, now = open(keys, args[1]), tonumber(args[4]), tonumber(args[5])
    local sequence = index.sequence
    local number, found = find(index, args[2], tonumber(args[3]))
    if not number or has_expired(found, now) then return { sequence, -1, 0 } end
    if expires(found) >= second then return { sequence, number, expires(found) } end
    local chunk, field = place_of_document(index, number)
    redis.call('HSET', chunk, field, pack4(second) .. sub(found, 5))
    expect_expiry(index, number, second)
    index.sequence = sequence + 1
    close(index)
    return { sequence, number, second }
end

-- ARGV: tables, key of the URL. Returns the documents that have it, the newest first, each after its number.
local function find_url(keys, args)
    local index = open(keys, args[1])
    local bucket, field = place_of(index, index.bands + 1, tonumber(args[2]))
    local numbers, answer = redis.call('HGET', bucket, field) or '', {}
    for at = #numbers - 3, math.max(1, #numbers - 4 * MOST_OF_URL), -4 do
        local number = unpack4(numbers, at)
        local found = document(index, number)
        if found then answer[#answer + 1], answer[#answer + 2] = number, found end
    end
    return answer
end

-- ARGV: tables, id, key of the id. Returns the number and the document, or nothing.
local function find_id(keys, args)
    local number, found = find(open(keys, args[1]), args[2], tonumber(args[3]))
    return number and { number, found } or {}
end

-- ARGV: tables, and packed numbers in pairs. Puts the documents of each pair into one cluster.
local function link_all(keys, args)
    local index = open(keys, args[1])
    for at = 1, #args[2], 8 do
        local a, b = struct.unpack('<I4I4', args[2], at)
        if math.max(a, b) >= index.documents then return redis.error_reply('NODOCUMENT a link is to a document that is not there') end
        link(index, a, b)
    end
    close(index)
    return index.links
end

-- ARGV: tables, number, most. Returns packed numbers of the cluster's documents that are there, and whether these are all.
local function cluster(keys, args)
    local index, most = open(keys, args[1]), tonumber(args[3])
    local waiting, members = { root(index, tonumber(args[2])) }, {}
    for at = 1, math.huge do
        local number = waiting[at]
        if not number then break end
        if #members == most then return { table.concat(members), 0 } end
        if redis.call('HEXISTS', place_of_document(index, number)) == 1 then members[#members + 1] = pack4(number) end
        local children = redis.call('GET', index.prefix .. 'm:' .. number) or ''
        for place = 1, #children, 4 do waiting[#waiting + 1] = unpack4(children, place) end
    end
    return { table.concat(members), 1 }
end

-- ARGV: tables, now, most. Removes documents that expired before the last slot, and looks at `most` of them. Returns how many it removed,
-- and whether there may be more.
local function sweep(keys, args)
    local index, now, left = open(keys, args[1]), tonumber(args[2]), tonumber(args[3])
    local removed = index.removed
    while left > 0 do
        local slot = redis.call('ZRANGE', index.prefix .. 'x', 0, 0)[1]
        if not slot or (tonumber(slot) + 1) * SLOT_SECONDS > now then break end
        local list = index.prefix .. 'x:' .. slot
        local numbers = redis.call('LPOP', list, left) or {}
        for _, packed in ipairs(numbers) do
            local number = unpack4(packed, 1)
            local found = document(index, number)
            -- A document that was touched is in a later list too.
            if found and floor(expires(found) / SLOT_SECONDS) <= tonumber(slot) then remove(index, number, found) end
        end
        left = left - math.max(#numbers, 1)
        if redis.call('EXISTS', list) == 0 then redis.call('ZREM', index.prefix .. 'x', slot) end
    end
    if index.removed > removed then close(index) end
    return { index.removed - removed, left <= 0 and 1 or 0 }
end

-- ARGV: names and values of a new header. Returns the header that holds.
local function header(keys, args)
    if redis.call('EXISTS', keys[1]) == 0 then redis.call('HSET', keys[1], unpack(args)) end
    return redis.call('HGETALL', keys[1])
end

-- The first argument is the identity of the index. A program that goes on after its index was deleted, or made again by another, would
-- add documents that nobody can read: it has the plan and the dictionary of the old one.
local function of_index(callback)
    return function(keys, args)
        if redis.call('HGET', keys[1], 'index') ~= table.remove(args, 1) then
            return redis.error_reply('GONE the index was deleted or made again')
        end
        return callback(keys, args)
    end
end

local function register(name, callback, flags)
    redis.register_function { function_name = 'lookalike_3_' .. name, callback = callback, flags = flags }
end

register('add', of_index(add), {})
register('check', of_index(check), { 'no-writes' })
register('cluster', of_index(cluster), { 'no-writes' })
register('find', of_index(find_id), { 'no-writes' })
register('find_url', of_index(find_url), { 'no-writes' })
register('header', header, {})
register('link', of_index(link_all), {})
register('remove', of_index(remove_id), { 'allow-oom' })
register('sweep', of_index(sweep), { 'allow-oom' })
register('touch', of_index(touch), {})
