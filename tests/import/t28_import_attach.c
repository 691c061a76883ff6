/* MJCF files that attach other models, against the same model written in full. */
#include "tests/import/import_check.h"
#include "tests/import/import_files.h"

#include "tests/support/cmocka_all.h"

#include <riccatree/loop.h>

#include <stdlib.h>
#include <string.h>

/* A model with settings and classes of its own; "tip" is also a name of the first model. */
static const char hand[] =
    "<mujoco model='hand'><compiler eulerseq='zyx'/><option gravity='0 0 7'/>"
    "<default><geom density='500'/><default class='soft'><joint damping='3' axis='0 1 "
    "0'/></default>"
    "</default><worldbody><frame pos='0 0 7' childclass='soft'>"
    "<body name='palm' pos='1 0 0' euler='50 30 20'><joint name='j'/><geom type='box' "
    "size='.1 .2 .3'/><site name='s' pos='0 0 .3'/>"
    "<body name='tip' pos='0 0 1'><joint name='k'/><geom size='.1'/><site name='t'/></body>"
    "</body></frame>"
    "<body name='other' pos='2 0 0'><joint name='o'/><geom size='.2'/></body></worldbody>"
    "<tendon><fixed name='both'><joint joint='j' coef='2'/><joint joint='k' coef='1'/></fixed>"
    "<fixed name='far'><joint joint='j' coef='2'/><joint joint='o' coef='1'/></fixed></tendon>"
    "<equality><joint name='bent' joint1='j' joint2='k'/>"
    "<connect body1='tip' body2='world' anchor='0 0 .5'/>"
    "<connect site1='s' site2='t'/><joint joint1='j' joint2='o'/><tendon tendon1='both'/>"
    "<tendon tendon1='far'/></equality></mujoco>";

/* The palm and its contents, written in full. */
#define PALM(prefix, at)                                                                           \
    "<body name='" prefix "palm' pos='" at "' euler='50 30 20'><joint name='" prefix "j' "         \
    "axis='0 1 0' damping='3'/>"                                                                   \
    "<geom type='box' size='.1 .2 .3' density='500'/><site name='" prefix "s' pos='0 0 .3'/>"      \
    "<body name='" prefix "tip' pos='0 0 1'><joint name='" prefix "k' axis='0 1 0' damping='3'/>"  \
    "<geom size='.1' density='500'/><site name='" prefix "t'/></body></body>"
#define OTHER(prefix)                                                                              \
    "<body name='" prefix "other' pos='2 0 0'><joint name='" prefix "o'/>"                         \
    "<geom size='.2' density='500'/></body>"
#define TIES(prefix)                                                                               \
    "<joint name='" prefix "bent' joint1='" prefix "j' joint2='" prefix "k'/>"                     \
    "<connect body1='" prefix "tip' body2='world' anchor='0 0 .5'/>"                               \
    "<connect site1='" prefix "s' site2='" prefix "t'/>"
#define CLASSES                                                                                    \
    "<default><joint damping='9'/><default class='hard'><joint damping='7'/></default>"            \
    "<default class='none'><joint damping='0'/></default></default>"
#define FIRST "<mujoco model='m'><compiler angle='radian'/>" CLASSES
#define WHOLE "<mujoco model='m'><compiler eulerseq='zyx'/>" CLASSES
#define BASE                                                                                       \
    "<worldbody><body name='base' pos='0 0 4' childclass='hard'><joint/><geom size='1'/>"          \
    "<body name='tip'><joint/><geom size='1'/></body>"
#define BOTH(prefix)                                                                               \
    "<tendon><fixed name='" prefix "both'><joint joint='" prefix                                   \
    "j' coef='2'/><joint joint='" prefix "k' coef='1'/></fixed></tendon>"

static void check_alike(const char *first, const char *whole)
{
    import_put("in/hand.xml", hand);
    import_put("main.xml", first);
    import_put("whole.xml", whole);
    char *parts = import_written("main.xml"), *all = import_written("whole.xml");
    size_t same = 0;
    while (parts[same] != '\0' && parts[same] == all[same]) {
        same++;
    }
    if (parts[same] != all[same]) {
        fail_msg("\"%.200s\" is not \"%.200s\"", parts + same, all + same);
    }
    free(parts);
    free(all);
}

/* A body loses its frame and keeps its class; ties that name nothing else come with it, under the
 * prefix. The gravity is that of the first model. */
static void test_body(void **state)
{
    (void)state;
    check_alike(FIRST "<asset><model name='hand' file='in/hand.xml'/></asset>" BASE
                      "<frame pos='0 0 2'><attach model='hand' body='palm' prefix='l_'/></frame>"
                      "</body></worldbody></mujoco>",
                WHOLE BASE
                "<frame pos='0 0 2'>" PALM("l_", "1 0 0") "</frame></body></worldbody>" BOTH(
                    "l_") "<equality>" TIES("l_") "<tendon tendon1='l_both'/></equality></mujoco>");
}

/* A body from within another has the class of that body; an empty prefix renames nothing; a model
 * without a name in <asset> has its own. */
static void test_inner_body(void **state)
{
    (void)state;
    check_alike(FIRST "<asset><model file='in/hand.xml'/></asset><worldbody>"
                      "<attach model='hand' body='tip' prefix=''/></worldbody></mujoco>",
                WHOLE "<worldbody><body name='tip' pos='0 0 1'><joint name='k' axis='0 1 0' "
                      "damping='3'/><geom size='.1' density='500'/></body></worldbody>"
                      "<equality><connect body1='tip' body2='world' anchor='0 0 .5'/></equality>"
                      "</mujoco>");
}

/* Everything in a world, frames too, twice; bodies come before ties, which come in the order of
 * attaching. */
static void test_world(void **state)
{
    (void)state;
#define WORLD(prefix) PALM(prefix, "1 0 7") OTHER(prefix)
#define ALL_TIES(prefix)                                                                           \
    TIES(prefix)                                                                                   \
    "<joint joint1='" prefix "j' joint2='" prefix "o'/><tendon tendon1='" prefix "both'/>"         \
    "<tendon tendon1='" prefix "far'/>"
#define FAR(prefix)                                                                                \
    "<tendon><fixed name='" prefix "far'><joint joint='" prefix                                    \
    "j' coef='2'/><joint joint='" prefix "o' coef='1'/></fixed></tendon>"
    check_alike(FIRST "<asset><model name='x' file='in/hand.xml'/></asset>" BASE
                      "<attach model='x' prefix='l_'/><attach model='x' body='world' prefix='r_'/>"
                      "</body></worldbody></mujoco>",
                WHOLE "<default><default class='bare'><joint damping='0'/></default></default>" BASE
                      "<frame childclass='bare'>" WORLD("l_")
                          WORLD("r_") "</frame></body>"
                                      "</worldbody>" BOTH("l_") FAR("l_") BOTH("r_")
                                          FAR("r_") "<equality>" ALL_TIES("l_")
                                              ALL_TIES("r_") "</equality></mujoco>");
}

/* A model that attaches one that attaches another; paths are relative to the file that names them.
 * Copies of a model that repeats the attached one. */
static void test_within_each_other(void **state)
{
    (void)state;
    import_put("in/deep/joint.xml", "<mujocoinclude><joint damping='5'/></mujocoinclude>");
    import_put("in/deep/finger.xml",
               "<mujoco model='finger'><compiler angle='radian'/><worldbody><body name='f' "
               "euler='0.5 0 0'><include file='joint.xml'/><geom size='1'/></body></worldbody>"
               "</mujoco>");
    import_put("in/palm.xml",
               "<mujoco model='palm'><default><joint damping='8'/></default><asset><model "
               "name='f' file='deep/finger.xml'/></asset><worldbody><body name='p'><joint/>"
               "<geom size='1'/><replicate count='2' offset='0 1 0'><attach model='f' body='f' "
               "prefix='a_'/></replicate></body></worldbody></mujoco>");
    check_alike("<mujoco model='m'><asset><model name='p' file='in/palm.xml'/></asset><worldbody>"
                "<attach model='p' body='p' prefix='b_'/></worldbody></mujoco>",
                "<mujoco model='m'><compiler angle='radian'/><worldbody><body name='b_p'>"
                "<joint damping='8'/><geom size='1'/>"
                "<body name='b_a_f0' euler='0.5 0 0'><joint damping='5'/><geom size='1'/></body>"
                "<body name='b_a_f1' pos='0 1 0' euler='0.5 0 0'><joint damping='5'/>"
                "<geom size='1'/></body></body></worldbody></mujoco>");
}

/* A frame has its own place, and the classes but not the places of the frames around it. */
static void test_frame(void **state)
{
    (void)state;
#define BODIES(prefix, soft, hard)                                                                 \
    "<body name='" prefix "a' pos='0 0 1'><joint name='" prefix "j' " soft "/><geom size='1'/>"    \
    "</body><frame " hard " pos='0 1 0'><body name='" prefix                                       \
    "b' euler='10 20 30'><joint name='" prefix "k'/><geom "                                        \
    "size='1'/></body></frame>"
    import_put(
        "in/arm.xml",
        "<mujoco model='arm'><compiler eulerseq='zyx'/><default><default class='soft'>"
        "<joint damping='3'/></default><default class='hard'><joint damping='7'/></default>"
        "</default><worldbody><body name='c'><joint name='l'/><geom size='1'/>"
        "<frame name='o' pos='0 0 5' euler='90 0 0' childclass='soft'>"
        "<frame name='f' pos='1 0 0' euler='0 90 30'>" BODIES(
            "", "", "childclass='hard'") "</frame></frame></body></worldbody><equality><joint "
                                         "joint1='j' joint2='k'/>"
                                         "<joint joint1='l' joint2='k'/></equality></mujoco>");
    check_alike(FIRST "<asset><model name='x' file='in/arm.xml'/></asset>" BASE
                      "<frame pos='0 0 9'><attach model='x' frame='f' prefix='p_'/></frame>"
                      "</body></worldbody></mujoco>",
                WHOLE BASE "<frame pos='0 0 9'><frame pos='1 0 0' euler='0 90 30'>" BODIES(
                    "p_", "damping='3'", "childclass='hard'") "</frame></frame></body></worldbody>"
                                                              "<equality><joint joint1='p_j' "
                                                              "joint2='p_k'/></equality></mujoco>");
}

/* The values that actuators add to joints come with the joints, by the classes of their model. */
static void test_rotors(void **state)
{
    (void)state;
    import_put("in/arm.xml",
               "<mujoco model='arm'><default><motor gear='2'/></default><worldbody>"
               "<body name='a'><joint name='j'/><geom size='1'/></body>"
               "<body name='b'><joint name='k'/><geom size='1'/></body></worldbody><actuator>"
               "<motor joint='k' armature='9'/><motor name='m' joint='j' armature='3'/>"
               "<motor joint='j' ctrlrange='0 1'/></actuator></mujoco>");
    check_alike("<mujoco model='m'><default><motor gear='5'/></default><asset><model name='x' "
                "file='in/arm.xml'/></asset><worldbody><body name='c'><joint name='j'/>"
                "<geom size='1'/></body><attach model='x' body='a' prefix='p_'/></worldbody>"
                "<actuator><motor joint='p_j' damping='2'/></actuator></mujoco>",
                "<mujoco model='m'><worldbody><body name='c'><joint/><geom size='1'/></body>"
                "<body name='p_a'><joint armature='12' damping='50'/><geom size='1'/></body>"
                "</worldbody></mujoco>");
}

static void test_refused(void **state)
{
    (void)state;
#define ATTACH(asset, words)                                                                       \
    "<mujoco><asset><model " asset "/></asset><worldbody><attach " words "/></worldbody></mujoco>"
    static const struct {
        const char *content, *says;
    } cases[] = {
        {ATTACH("name='h' file='in/hand.xml'", "body='palm' prefix='l'"),
         "<attach>: the attribute \"model\" is missing"},
        {ATTACH("name='h' file='in/hand.xml'", "model='h' body='palm'"),
         "<attach>: the attribute \"prefix\" is missing"},
        {ATTACH("name='h' file='in/hand.xml'", "model='g' prefix='l'"),
         "<attach>: no <model> of <asset> is called \"g\""},
        {ATTACH("name='h' file='in/hand.xml'", "model='h' body='nobody' prefix='l'"),
         "<attach>: no body of the model is called \"nobody\""},
        {ATTACH("name='h' file='in/hand.xml'", "model='h' frame='palm' prefix='l'"),
         "<attach>: no frame of the model is called \"palm\""},
        {ATTACH("name='h' file='in/bent.xml'", "model='h' frame='f' body='b' prefix='l'"),
         "<attach>: both body and frame are given; keep one"},
        {ATTACH("name='h' file='in/bent.xml'", "model='h' frame='f' prefix='l'"),
         "<attach>: attaching a frame is not supported if its joints"},
        {ATTACH("name='h' file='in/none.xml'", "model='h' prefix='l'"), "cannot open the file"},
        {ATTACH("name='h' file='../../../x.xml'", "model='h' prefix='l'"),
         "more than 2 folders above"},
        {ATTACH("name='h' file='in/far.xml'", "model='h' prefix='l'"), "more than 2 folders above"},
        {ATTACH("name='h' file='in/part.xml'", "model='h' prefix='l'"),
         "the root element of a model that is attached must be <mujoco>"},
        {ATTACH("name='h' file='main.xml'", "model='h' prefix='l'"),
         "the file \"main.xml\" includes itself"},
        {"<mujoco><asset><model name='h' file='in/hand.xml'/></asset><worldbody><replicate "
         "count='2'><attach model='h' body='palm' prefix='l'/></replicate></worldbody></mujoco>",
         "attaching tendons, constraints or rotors of actuators in <replicate> is not supported"},
        {"<mujoco><asset><model name='h' file='in/hand.xml'/></asset><worldbody><attach model='h' "
         "body='palm' prefix='l'/><attach model='h' body='palm' prefix='l'/></worldbody></mujoco>",
         "<joint> \"lj\": line 1 already has a joint of that name"},
    };
    import_put("in/hand.xml", hand);
    import_put("in/part.xml", "<mujocoinclude/>");
    import_put("in/bent.xml", "<mujoco><worldbody><body name='b'><geom size='1'/><frame name='f'>"
                              "<frame><joint/></frame></frame></body></worldbody></mujoco>");
    import_put("in/far.xml", "<mujoco><include file='../../../../x.xml'/></mujoco>");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rct_error error = {.text = ""};
        import_put("main.xml", cases[i].content);
        assert_null(rct_model_import(import_path("main.xml"), NULL, &error));
        if (strstr(error.text, cases[i].says) == NULL) {
            fail_msg("\"%s\" says nothing of \"%s\"", error.text, cases[i].says);
        }
    }
}

/* Every allocation fails once. */
static void test_short_memory(void **state)
{
    (void)state;
    import_put("in/hand.xml", hand);
    import_put("main.xml", FIRST "<asset><model file='in/hand.xml'/></asset>" BASE
                                 "<attach model='hand' prefix='l_'/></body></worldbody></mujoco>");
    rct_model *model = import_short_of_memory("main.xml");
    assert_int_equal(rct_model_loop_count(model), 6);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_body),    cmocka_unit_test(test_inner_body),
        cmocka_unit_test(test_world),   cmocka_unit_test(test_within_each_other),
        cmocka_unit_test(test_frame),   cmocka_unit_test(test_rotors),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, import_make_folder, import_drop_folder);
}
