"""Words of one meaning, broader words and irregular forms, as plain data."""

from __future__ import annotations

from functools import cache

from hydramind.mind.text import stem

CLASSES = """
lady woman/child kid/dad father/mom mum mother/guy bloke/gentleman gent/infant baby toddler/youngster youth
large big huge enormous/small little tiny/quick fast rapid/slow sluggish/glad happy/begin start commence/end finish
halt stop/talk speak chat/look watch gaze/shout yell/cut slice chop/jump leap hop/throw toss hurl/cook prepare
fry saute/ride cycle/bike bicycle/motorbike motorcycle/pan skillet/boat ship-vessel/road street/rock stone/forest woods
couch sofa/picture photo photograph image/cab taxi/movie film/automobile car/phone telephone/rabbit bunny/dog canine puppy
cat kitten feline/horse pony/sidewalk pavement/sea ocean/shop store-front/lawn grass/near beside close-to/below beneath underneath
above over/several multiple/buy purchase/help assist/fix repair mend/build construct/choose pick select/show display
allow permit/forbid prohibit ban disallow/enable activate/disable deactivate/need require/mandatory compulsory obligatory
error fault failure/bug defect/delete remove erase/create make/modify change alter/update refresh/use utilise utilize employ
repo repository/db database/prod production/env environment/config configuration/auth authentication/k8s kubernetes
js javascript/ts typescript/postgres postgresql/doc documentation/dep dependency/app application/dir directory folder
param parameter/arg argument/func function/msg message/req request/resp response/lib library/pkg package/admin administrator
perf performance/spec specification/stat statistic/info information/max maximum/min minimum/avg average mean
ci continuous-integration/pr pull-request/vm virtual-machine/os operating-system/ui user-interface/golang go-language
teammate colleague coworker/boss manager/employee worker/client customer/price cost/salary wage/job occupation
owner maintainer/repository-owner code-owner/autumn fall-season/holiday vacation/flat apartment/lift elevator/petrol gasoline
sync synchronous/async asynchronous/flaky unstable/parallel concurrent/sequential serial/encrypt encipher/log journal
reside live dwell/host serve/ban forbid/reject refuse decline/ask request-for/reply answer respond/send transmit/receive get
retain keep hold/rarely seldom hardly scarcely barely/frequently often/common frequent/clean wash/lie lay/sniff smell
study examine inspect/look-at watch/converse talk/practice practise/rehearse practice/soccer football/mend repair
crack break/stir mix blend/carry transport/drop discard/put place/remain stay/gather assemble/perform do
sad unhappy/ill sick/silent quiet/correct right/wrong incorrect/clever smart/rich wealthy/automatic automated
paste glue/apply put-on/file document/instrument device/peel skin/burn fire/attack assault/hit strike whack/push shove
"""
"""Groups divided by `/`; every word of a group counts as its first."""

BROADER = """
man:person,adult,human woman:person,adult,human boy:child,person,human girl:child,person,human child:person,human
lady:woman,person adult:person,human player:person biker:person rider:person worker:person engineer:person
climber:person runner:person swimmer:person driver:person developer:person dancer:person singer:person group:person
crowd:person family:person couple:person team:person someone:person somebody:person anyone:person everyone:person
infant:child,person youngster:person guy:man,person gentleman:man,person father:man,person mother:woman,person
student:person teacher:person soldier:person doctor:person chef:person musician:person customer:person
dog:animal cat:animal horse:animal monkey:animal bird:animal lion:animal tiger:animal elephant:animal fish:animal
guitar:instrument piano:instrument flute:instrument drum:instrument violin:instrument keyboard:instrument
potato:vegetable tomato:vegetable onion:vegetable carrot:vegetable garlic:vegetable pepper:vegetable
bread:food pizza:food meat:food egg:food cheese:food rice:food noodle:food pasta:food car:vehicle truck:vehicle
bus:vehicle bicycle:vehicle motorcycle:vehicle postgres:database mysql:database sqlite:database mongodb:database
redis:cache memcached:cache kafka:queue rabbitmq:queue sqs:queue marsh:water river:water lake:water sea:water
pool:water stream:water scientist:person nurse:person farmer:person policeman:person officer:person waiter:person
actor:person artist:person
photographer:person athlete:person surfer:person skater:person skateboarder:person cyclist:person cowboy:person clown:person
baby:child,person teenager:person toddler:child,person wife:woman,person husband:man,person son:boy,child,person
daughter:girl,child,person brother:man,person sister:woman,person friend:person neighbour:person guest:person user:person
cow:animal sheep:animal goat:animal pig:animal rabbit:animal panda:animal bear:animal squirrel:animal turtle:animal
frog:animal duck:bird,animal eagle:bird,animal parrot:bird,animal shark:fish,animal mouse:animal hamster:animal
trumpet:instrument saxophone:instrument harp:instrument cello:instrument lettuce:vegetable cabbage:vegetable
cucumber:vegetable broccoli:vegetable zucchini:vegetable eggplant:vegetable okra:vegetable bean:vegetable apple:fruit
banana:fruit orange:fruit lemon:fruit cherry:fruit grape:fruit mango:fruit chicken:meat,food beef:meat,food pork:meat,food
shrimp:food steak:meat,food soup:food cake:food sandwich:food vegetable:food fruit:food butter:food
van:vehicle taxi:vehicle tram:vehicle train:vehicle tractor:vehicle scooter:vehicle soccer:sport tennis:sport basketball:sport
baseball:sport rugby:sport hockey:sport golf:sport volleyball:sport cricket:sport shirt:clothing jacket:clothing
coat:clothing dress:clothing hat:clothing trousers:clothing jeans:clothing shoe:clothing glove:clothing
oak:tree pine:tree rose:flower tulip:flower table:furniture chair:furniture couch:furniture bed:furniture
hammer:tool saw:tool screwdriver:tool axe:tool knife:tool beach:shore coast:shore
mince:cut dice:cut carve:cut shred:cut trim:cut boil:cook roast:cook bake:cook grill:cook steam:cook
sip:drink gulp:drink nibble:eat chew:eat devour:eat gnaw:eat jog:run scream:talk mumble:talk
gallop:run,move crawl:move climb:move dance:move fly:move
mariadb:database oracle:database cassandra:database dynamodb:database nats:queue pulsar:queue
macos:unix linux:unix ubuntu:linux debian:linux fedora:linux alpine:linux
examine:look read:look stare:look glance:look observe:look view:look peer:look pour:put insert:put sprinkle:put load:put
chase:run giggle:laugh chuckle:laugh sketch:draw strum:play doze:sleep nap:sleep snooze:sleep scrub:wash,clean
rinse:wash,clean mop:clean sweep:clean grip:hold clutch:hold hug:hold sprint:run type:write scribble:write
vegetable:ingredient,food meat:ingredient,food spice:ingredient egg:ingredient,food flour:ingredient
walk:move run:move ride:move swim:move jump:move sprint:run,move jog:run,move
whisper:talk shout:talk stroll:walk,move wade:walk,move march:walk,move
"""
"""`word:broader,...`: who says the narrow word of a thing says the broad one too."""

IRREGULAR = """
men:man women:woman children:child people:person persons:person feet:foot teeth:tooth mice:mouse geese:goose
ran:run went:go gone:go goes:go came:come took:take taken:take gave:give given:give saw:see seen:see made:make
wrote:write written:write built:build sent:send kept:keep held:hold stood:stand sat:sit lay:lie lain:lie lying:lie
ate:eat eaten:eat drank:drink drunk:drink drove:drive driven:drive rode:ride ridden:ride flew:fly flown:fly
swam:swim swum:swim sang:sing sung:sing threw:throw thrown:throw caught:catch bought:buy brought:bring taught:teach
thought:think found:find lost:lose left:leave met:meet paid:pay read:read said:say sold:sell shown:show slept:sleep
spoke:speak spoken:speak spent:spend broke:break broken:break chose:choose chosen:choose began:begin begun:begin
fell:fall fallen:fall grew:grow grown:grow knew:know known:know led:lead meant:mean rose:rise risen:rise
shut:shut told:tell understood:understand won:win wore:wear worn:wear forbade:forbid forbidden:forbid hid:hide
hidden:hide froze:freeze frozen:freeze stuck:stick hung:hang hurt:hurt dealt:deal fed:feed felt:feel fought:fight
forgot:forget forgotten:forget got:get gotten:get heard:hear laid:lay lent:lend lit:light shot:shoot slid:slide
stole:steal stolen:steal swept:sweep tore:tear torn:tear woke:wake woken:wake shrank:shrink shrunk:shrink
born:bear bore:bear died:die using:use lives:live leaves:leave
lies:lie dies:die dying:die tying:tie skis:ski data:data indices:index vertices:vertex
"""
"""`form:dictionary form` where no ending tells."""


@cache
def irregular_forms() -> dict[str, str]:
    """Irregular form -> dictionary form."""
    pairs = (pair.partition(":") for pair in IRREGULAR.split())
    return {form: plain for form, _, plain in pairs}


@cache
def class_heads() -> dict[str, str]:
    """Stem of a word -> stem of the first word of its group."""
    heads: dict[str, str] = {}
    for group in CLASSES.replace("\n", "/").split("/"):
        first, *others = group.split() or [""]
        heads |= {stem(word): stem(first) for word in others}
    return heads


@cache
def broader_words() -> dict[str, tuple[str, ...]]:
    """Stem of a word, after its group is folded -> the broader words."""
    heads = class_heads()
    table: dict[str, tuple[str, ...]] = {}
    for entry in BROADER.split():
        narrow, broad = entry.split(":")
        stemmed = stem(narrow)
        table[heads.get(stemmed, stemmed)] = tuple(broad.split(","))
    return table
